import { type FakeTab, type Line, MessagingWorld } from '#tests/support/messaging-world.ts'
import { holds } from '#tests/support/properties.ts'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { messagesPerWindow } from '#shared/limits.ts'

const chats = { 'ann-cleo': ['ann', 'cleo'], 'ann-ben': ['ann', 'ben'], 'ben-cleo': ['ben', 'cleo'] } as const
const chatIds = Object.keys(chats)
const minuteMs = 60_000

interface Written {
  content: string
  author: string
  chatId: string
  tab: FakeTab
}

type TabStep =
  | { do: 'line'; tab: number; line: Line }
  | { do: 'events'; tab: number; events: FakeTab['events'] }
  | { do: 'connect' | 'disconnect' | 'reload' | 'sleep' | 'wake'; tab: number }

type Step =
  | TabStep
  | { do: 'write'; tab: number; chat: number }
  | { do: 'read'; tab: number; chat: number }
  | { do: 'hear'; chat: number }
  | { do: 'pass'; ms: number }
  | { do: 'sign in'; as: 'ann' | 'ben' }

const tab = fc.integer({ min: 0, max: 1 })
const chat = fc.integer({ min: 0, max: chatIds.length - 1 })
const one = <Value extends string>(...values: Value[]) => fc.constantFrom(...values)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('write' as const), tab, chat }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hear' as const), chat }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const), tab, chat }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('line' as const), tab, line: one('good', 'no requests', 'no answers') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('events' as const), tab, events: one('all', 'none', 'twice') }) },
  { weight: 6, arbitrary: fc.record({ do: one('connect', 'disconnect', 'reload', 'sleep', 'wake'), tab }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: one('5', '300', '2000', '40000').map(Number) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sign in' as const), as: one('ann', 'ben') }) },
)

/** A simulated browser with two tabs. Records the messages written in them. */
class Browser {
  readonly world: MessagingWorld
  readonly written: Written[] = []
  readonly #faults: string[] = []

  constructor(seed: number) {
    this.world = new MessagingWorld(seed, chats)
    this.world.cookie = 'ann'
    for (const name of ['1', '2']) this.world.openTab(name).meet()
  }

  tab(index: number): FakeTab {
    const { tabs } = this.world
    return tabs[index % tabs.length]!
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'pass') await this.world.clock.pass(step.ms)
    else if (step.do === 'sign in') await this.world.signIn(step.as)
    else if (step.do === 'hear') this.#hear(chatIds[step.chat]!)
    else if (step.do === 'write' || step.do === 'read') this.#press(this.tab(step.tab), step.do, chatIds[step.chat]!)
    else this.#happenTo(this.tab(step.tab), step)
    // Let actions take effect before the next step.
    await this.world.clock.pass(1)
    this.#look()
  }

  #happenTo(tab: FakeTab, step: TabStep): void {
    if (step.do === 'line') tab.line = step.line
    else if (step.do === 'events') tab.events = step.events
    else if (step.do === 'connect') tab.connect()
    else if (step.do === 'disconnect') tab.disconnect()
    else if (step.do === 'reload') this.world.reload(tab)
    else if (step.do === 'sleep') tab.sleep()
    else tab.wake()
  }

  /** Writes or reads in a tab. Does nothing if the tab sleeps or has not loaded the chat. */
  #press(tab: FakeTab, what: 'write' | 'read', chatId: string): void {
    const { client } = tab
    const chat = client?.data.chat(chatId)
    if (client === undefined || chat === undefined || tab.isAsleep) return
    if (what === 'read') return client.reads.markRead(chatId, chat.lastSeq)
    const content = `${this.written.length}`
    this.written.push({ content, author: client.dealerId, chatId, tab })
    client.send(chatId, content)
  }

  #hear(chatId: string): void {
    const { server } = this.world
    const from = server.chats.find(({ id }) => id === chatId)!.members.find((id) => id !== this.world.cookie)!
    server.store(from, { chatId, content: `from ${from}`, clientId: `far-${(this.world.lastId += 1)}` })
  }

  #look(): void {
    for (const tab of this.world.tabs)
      for (const chatId of chatIds) {
        const { sent, pending } = tab.shown(chatId)
        const ids = [...sent, ...pending].map(({ clientId }) => clientId)
        if (new Set(ids).size < ids.length) this.#faults.push(`shown twice in tab ${tab.name}: ${ids.join()}`)
        if (sent.some(({ seq }, index) => seq <= (sent[index - 1]?.seq ?? 0)))
          this.#faults.push(`out of order in tab ${tab.name}`)
      }
    for (const { content, author, chatId } of this.written)
      if (!this.#isStored(content, author, chatId) && !this.#isPending(content, author))
        this.#faults.push(`"${content}" is nowhere`)
  }

  #isStored(content: string, author: string, chatId: string): boolean {
    const { messages } = this.world.server.chat(chatId, author)
    return messages.some((one) => one.content === content && one.senderId === author)
  }

  #isPending(content: string, author: string): boolean {
    return [...this.world.kept.values()].some((row) => row.dealerId === author && row.message.content === content)
  }

  /** Ends all faults, signs in each dealer again, and returns the remaining problems. */
  async heal(): Promise<string[]> {
    for (const dealerId of ['ann', 'ben', 'ann'] as const) {
      for (const tab of this.world.tabs) {
        Object.assign(tab, { line: 'good', events: 'all' })
        if (tab.isAsleep) tab.wake()
      }
      await this.world.signIn(dealerId)
      await this.world.clock.pass(minuteMs)
      for (const tab of this.world.tabs) tab.connect()
      await this.world.clock.pass(5 * minuteMs)
      for (const tab of this.world.tabs) this.#compare(tab, dealerId)
    }
    for (const chatId of chatIds) this.#compareOrder(chatId)
    for (const { clientId, content } of [...this.world.kept.values()].map(({ message }) => message))
      this.#faults.push(`"${content}" (${clientId}) is still kept`)
    return [...this.world.misattributed, ...this.#faults]
  }

  /** Checks that the tab shows the same messages as a fresh load. */
  #compare(tab: FakeTab, dealerId: string): void {
    for (const { id, messages, members } of this.world.server.chats) {
      if (!members.includes(dealerId)) continue
      const { sent, pending } = tab.shown(id)
      const wanted = messages.slice(-messagesPerWindow).map(({ content }) => content)
      const shown = sent.map(({ content }) => content)
      if (JSON.stringify(shown) !== JSON.stringify(wanted))
        this.#faults.push(`tab ${tab.name} shows ${shown.join()} of ${wanted.join()} in ${id}`)
      if (pending.length > 0)
        this.#faults.push(`tab ${tab.name} still sends ${pending.map(({ content }) => content).join()}`)
      const lastSeq = tab.client?.data.chat(id)?.lastSeq
      if (lastSeq !== messages.length) this.#faults.push(`tab ${tab.name} counts ${lastSeq} of ${messages.length}`)
    }
  }

  /** Checks that each dealer's messages from one tab are stored once and in order. */
  #compareOrder(chatId: string): void {
    const stored = this.world.server.chats.find(({ id }) => id === chatId)!.messages
    for (const author of ['ann', 'ben'])
      for (const name of ['1', '2']) {
        const own = this.written.filter(
          (one) => one.chatId === chatId && one.author === author && one.tab.name === name,
        )
        const wanted = own.map(({ content }) => content)
        const there = stored.filter(({ content, senderId }) => senderId === author && wanted.includes(content))
        const found = there.map(({ content }) => content)
        if (found.join() !== wanted.join())
          this.#faults.push(`${author} wrote ${wanted.join()}, stored is ${found.join()}`)
      }
  }
}

async function faultsAfter(seed: number, steps: readonly Step[]): Promise<string[]> {
  const browser = new Browser(seed)
  await browser.world.clock.pass(2_000)
  for (const step of steps) await browser.take(step)
  return browser.heal()
}

t.test('stores and shows every message once, in order and under its author, whatever fails', (t) =>
  holds(
    t,
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.array(step, { maxLength: 60, size: 'max' }),
      async (seed, steps) => {
        const faults = await faultsAfter(seed, steps)
        if (faults.length > 0) throw new Error(faults.join('\n'))
      },
    ),
  ),
)

/** Runs a fixed sequence of steps that the property test could also generate. */
async function stays(t: Test, steps: readonly Step[]) {
  for (const seed of [1, 2, 3, 4, 5]) t.same(await faultsAfter(seed, steps), [])
}

t.test('sends nothing of the previous dealer from a tab that wakes after another sign-in', async (t) => {
  await stays(t, [
    { do: 'connect', tab: 0 },
    { do: 'line', tab: 0, line: 'no requests' },
    { do: 'line', tab: 1, line: 'no requests' },
    { do: 'write', tab: 0, chat: 1 },
    { do: 'write', tab: 0, chat: 1 },
    // Wait until sending fails, so that a retry is due when the tab wakes.
    { do: 'pass', ms: 2_000 },
    { do: 'sleep', tab: 0 },
    { do: 'line', tab: 0, line: 'good' },
    { do: 'sign in', as: 'ben' },
    { do: 'pass', ms: 40_000 },
    { do: 'wake', tab: 0 },
    { do: 'pass', ms: 300 },
    { do: 'pass', ms: 40_000 },
  ])
})

t.test('shows an unacknowledged message once, in both tabs and after a reload', async (t) => {
  await stays(t, [
    { do: 'connect', tab: 0 },
    { do: 'connect', tab: 1 },
    { do: 'line', tab: 0, line: 'no answers' },
    { do: 'events', tab: 0, events: 'none' },
    { do: 'write', tab: 0, chat: 0 },
    { do: 'write', tab: 0, chat: 0 },
    { do: 'pass', ms: 2_000 },
    { do: 'reload', tab: 0 },
    { do: 'write', tab: 0, chat: 0 },
  ])
})

async function afterSteps(seed: number, steps: readonly Step[]): Promise<Browser> {
  const browser = new Browser(seed)
  for (const step of steps) await browser.take(step)
  return browser
}

t.test('fills a gap by itself without reconnecting or polling', async (t) => {
  const [chatId = ''] = chatIds
  for (const seed of [1, 2, 3, 4, 5]) {
    const browser = await afterSteps(seed, [
      { do: 'pass', ms: 2_000 },
      { do: 'connect', tab: 0 },
      { do: 'pass', ms: 3_000 },
      { do: 'events', tab: 0, events: 'none' },
      { do: 'hear', chat: 0 },
      { do: 'pass', ms: 1_000 },
      // The next event reveals the gap, but requests fail at that moment.
      { do: 'events', tab: 0, events: 'all' },
      { do: 'line', tab: 0, line: 'no requests' },
      { do: 'hear', chat: 0 },
      { do: 'pass', ms: 3_000 },
      { do: 'line', tab: 0, line: 'good' },
    ])
    const { clock, server } = browser.world
    const shown = () => browser.tab(0).shown(chatId).sent.length
    t.equal(shown(), 0, 'it is missing')
    // Stop before the first poll is due, so that only gap recovery can have loaded the message.
    await clock.pass(12_000)
    t.equal(shown(), server.chat(chatId, 'ann').messages.length)
  }
})

t.test('starts polling when events stop, even if the next audit is far away', async (t) => {
  const [chatId = ''] = chatIds
  for (const seed of [1, 2, 3, 4, 5]) {
    const browser = await afterSteps(seed, [
      { do: 'pass', ms: 2_000 },
      { do: 'connect', tab: 0 },
      // Wait until the first audit with the long interval is scheduled.
      { do: 'pass', ms: 40_000 },
      { do: 'disconnect', tab: 0 },
      { do: 'hear', chat: 0 },
      { do: 'pass', ms: 40_000 },
    ])
    const { clock, server } = browser.world
    await clock.pass(1_000)
    t.equal(browser.tab(0).shown(chatId).sent.length, server.chat(chatId, 'ann').messages.length)
  }
})

t.test('audits only while the tab is visible', async (t) => {
  const [chatId = ''] = chatIds
  const browser = await afterSteps(1, [
    { do: 'pass', ms: 2_000 },
    { do: 'connect', tab: 0 },
    { do: 'pass', ms: 3_000 },
    { do: 'events', tab: 0, events: 'none' },
    { do: 'hear', chat: 0 },
  ])
  const { clock } = browser.world
  const tab = browser.tab(0)
  const count = () => tab.shown(chatId).sent.length
  tab.setHidden(true)
  await clock.pass(10 * minuteMs)
  t.equal(count(), 0, 'hidden')
  tab.setHidden(false)
  await clock.pass(5_000)
  t.equal(count(), 1, 'visible again')
})

t.test("does not count the dealer's own messages as unread or as reading", async (t) => {
  const [chatId = ''] = chatIds
  for (const seed of [1, 2, 3, 4, 5]) {
    const browser = new Browser(seed)
    const { clock, server } = browser.world
    const write = (content: string) => server.store('ann', { chatId, content, clientId: `program-${content}` })
    const counted = () => {
      const { readSeq, unreadCount } = browser.tab(0).client?.data.chat(chatId) ?? {}
      return { readSeq, unreadCount }
    }
    await browser.take({ do: 'pass', ms: 2_000 })
    await browser.take({ do: 'connect', tab: 0 })
    await clock.pass(3_000)
    for (const one of ['hear', 'write', 'write', 'hear'])
      if (one === 'hear') await browser.take({ do: 'hear', chat: 0 })
      else write(`${server.chat(chatId, 'ann').messages.length}`)
    await clock.pass(3_000)
    t.same(counted(), { readSeq: 0, unreadCount: 2 })
    await browser.take({ do: 'read', tab: 0, chat: 0 })
    t.same(counted(), { readSeq: 4, unreadCount: 0 })
    await clock.pass(6_000)
    write('5')
    await clock.pass(3_000)
    t.same(counted(), { readSeq: 5, unreadCount: 0 })
  }
})

t.test('sends read markers by itself after an outage', async (t) => {
  const [chatId = ''] = chatIds
  for (const seed of [1, 2, 3, 4, 5]) {
    const browser = await afterSteps(seed, [
      { do: 'pass', ms: 2_000 },
      { do: 'connect', tab: 0 },
      { do: 'hear', chat: 0 },
      { do: 'pass', ms: 3_000 },
      // Simulate a short database outage, during which the socket stays connected.
      { do: 'line', tab: 0, line: 'no requests' },
      { do: 'read', tab: 0, chat: 0 },
      { do: 'pass', ms: 3_000 },
      { do: 'line', tab: 0, line: 'good' },
      { do: 'pass', ms: 12_000 },
    ])
    const readSeq = () => browser.world.server.chat(chatId, 'ann').readSeqs['ann']
    t.equal(readSeq(), 1)
    for (const next of ['hear', 'pass', 'read', 'pass'] as const)
      await browser.take(next === 'pass' ? { do: next, ms: 6_000 } : { do: next, tab: 0, chat: 0 })
    t.equal(readSeq(), 2)
  }
})

t.test('sends new messages after those waiting from before a reload, even if the clock was set back', async (t) => {
  const [chatId = ''] = chatIds
  const browser = await afterSteps(1, [
    { do: 'pass', ms: 2_000 },
    { do: 'line', tab: 0, line: 'no requests' },
    { do: 'line', tab: 1, line: 'no requests' },
    { do: 'write', tab: 0, chat: 0 },
    { do: 'pass', ms: 2_000 },
  ])
  const { world } = browser
  world.clock.now -= 60 * minuteMs
  const next = world.reload(browser.tab(0))
  next.line = 'no requests'
  await world.clock.pass(3_000)
  next.client?.send(chatId, 'second')
  t.same(
    next.shown(chatId).pending.map(({ content }) => content),
    ['0', 'second'],
  )
  await world.clock.pass(1_000)
  const again = world.reload(next)
  await world.clock.pass(minuteMs)
  t.same(
    again.shown(chatId).sent.map(({ content }) => content),
    ['0', 'second'],
  )
})
