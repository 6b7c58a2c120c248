import type { Page } from 'playwright-core'
import t from 'tap'
import type { Chat } from '#shared/schemas/messaging.ts'
import { openBrowser } from '#tests/support/browser.ts'
import {
  arrive,
  arriveMarcus,
  badge,
  box,
  bubbles,
  chatsOf,
  conversation,
  light,
  log,
  openChat,
  say,
} from '#tests/support/chat-page.ts'
import { liveSwitch } from '#tests/support/dealer-page.ts'
import { countNotices } from '#tests/support/message-notices.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

/** Returns how many unsent messages are in the browser's storage. */
const storedMessages = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('lanewire-outbox')
        opening.addEventListener('error', () => reject(opening.error ?? new Error('not opened')))
        opening.addEventListener('success', () => {
          const count = opening.result.transaction('messages').objectStore('messages').count()
          count.addEventListener('error', () => reject(count.error ?? new Error('not counted')))
          count.addEventListener('success', () => {
            opening.result.close()
            resolve(count.result)
          })
        })
      }),
  )

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

t.test('between two dealers', async (t) => {
  const [{ page: dana }, marcus] = await Promise.all([arrive(t, browser, url, 'dana'), arriveMarcus(t, browser, url)])
  await openChat(dana, 'Marcus Webb')

  await t.test('shows typing, then the message with its status, and the reply', async (t) => {
    await box(dana, 'Marcus Webb').pressSequentially('Is the reserve')
    // Type repeatedly, because typing events may be lost on a busy machine.
    await until('the typing indicator', async () => {
      await box(dana, 'Marcus Webb').press('x')
      await box(dana, 'Marcus Webb').press('Backspace')
      return (await log(marcus, 'Dana Torres').getByText('Dana Torres is typing').count()) > 0
    })
    await box(dana, 'Marcus Webb').press('Shift+Enter')
    await box(dana, 'Marcus Webb').pressSequentially('met?')
    await box(dana, 'Marcus Webb').press('Enter')
    await log(marcus, 'Dana Torres').getByText('Is the reserve met?').waitFor()
    t.equal(await box(dana, 'Marcus Webb').inputValue(), '', 'the draft is cleared')
    await log(dana, 'Marcus Webb').getByText(/^Seen/).last().waitFor()
  })

  await t.test(
    'leaves a dealer who scrolled up in place, announces new messages, and marks them read after the jump',
    async (t) => {
      await say(marcus, 'Dana Torres', `More than a window holds${'\n.'.repeat(40)}`)
      await bubbles(dana, 'Marcus Webb').filter({ hasText: 'More than a window holds' }).waitFor()
      const receipt = (text: string) => bubbles(marcus, 'Dana Torres').filter({ hasText: text }).getByText(/^Seen/)
      await log(dana, 'Marcus Webb').evaluate((element) => (element.scrollTop = 0))
      await dana.getByRole('button', { name: 'Newest' }).waitFor()
      await say(marcus, 'Dana Torres', 'While you read up: https://carfax.example/a?b=1.')
      await dana.getByRole('button', { name: '1 new' }).waitFor()
      t.equal(await log(dana, 'Marcus Webb').evaluate((element) => element.scrollTop), 0)
      t.equal(await receipt('While you read up').count(), 0)
      await dana.getByRole('button', { name: '1 new' }).click()
      await receipt('While you read up').waitFor()
      await dana.getByRole('button', { name: /^(1 new|Newest)$/ }).waitFor({ state: 'detached' })
      const address = log(dana, 'Marcus Webb').getByRole('link', { name: 'https://carfax.example/a?b=1', exact: true })
      t.equal(await address.getAttribute('rel'), 'noopener noreferrer nofollow')
    },
  )
})

t.test('with a broken connection', async (t) => {
  const [danas, marcus] = await Promise.all([arrive(t, browser, url, 'dana', true), arriveMarcus(t, browser, url)])
  const dana = danas.page
  const line = await liveSwitch(danas)
  await openChat(dana, 'Marcus Webb')

  await t.test('shows messages that arrived while the connection was cut', async (t) => {
    await line.cut()
    for (const n of [1, 2, 3]) await say(marcus, 'Dana Torres', `Said to nobody ${n}`)
    await log(marcus, 'Dana Torres').getByText('Sending').first().waitFor({ state: 'detached' })
    line.restore()
    await log(dana, 'Marcus Webb').getByText('Said to nobody 3').waitFor()
    t.match(await log(dana, 'Marcus Webb').textContent(), /nobody 1.*nobody 2.*nobody 3/s)
  })

  await t.test('keeps unsent messages over a reload and sends them once and in order', async (t) => {
    await danas.context.route('**/api/messages', (route) => route.abort())
    for (const text of ['Written offline 1', 'Written offline 2']) await say(dana, 'Marcus Webb', text)
    await box(dana, 'Marcus Webb').fill('A draft')
    await log(dana, 'Marcus Webb').getByText('Sending').last().waitFor()
    await until('both messages to be stored', async () => (await storedMessages(dana)) === 2)
    await dana.reload()
    await log(dana, 'Marcus Webb').getByText('Written offline 2').waitFor()
    t.equal(await log(dana, 'Marcus Webb').getByText('Sending').count(), 2, 'both messages still wait')
    t.equal(await box(dana, 'Marcus Webb').inputValue(), 'A draft', 'the draft remains')
    await danas.context.unroute('**/api/messages')
    await log(marcus, 'Dana Torres').getByText('Written offline 2').waitFor()
    await log(dana, 'Marcus Webb').getByText('Sending').first().waitFor({ state: 'detached' })
    for (const page of [log(dana, 'Marcus Webb'), log(marcus, 'Dana Torres')])
      t.match(
        await page.textContent(),
        /^(?!.*Written offline 1.*Written offline 1).*Written offline 1.*Written offline 2/s,
      )
  })
})

t.test('shows one badge, one sound and one notification for three tabs; reading in one clears it in all', async (t) => {
  const [danas, marcus] = await Promise.all([arrive(t, browser, url, 'dana', true), arriveMarcus(t, browser, url)])
  const dana = danas.page
  const notices = await countNotices(danas.context)
  await openChat(dana, 'Marcus Webb')
  const isWithMarcus = ({ participants }: Chat) => participants.some(({ name }) => name === 'Marcus Webb')
  const isRead = async () => (await chatsOf(dana)).find(isWithMarcus)?.unreadCount === 0
  await until('the messages of Marcus to be read', isRead)
  await box(dana, 'Marcus Webb').press('Escape')
  await log(dana, 'Marcus Webb').waitFor({ state: 'detached' })
  await conversation(dana, 'Karen Boyle').click()
  await log(dana, 'Karen Boyle').waitFor()
  const tabs = [dana, await danas.context.newPage(), await danas.context.newPage()] as const
  for (const tab of tabs.slice(1)) await tab.goto(light)
  const shown = () => Promise.all(tabs.map((tab) => badge(tab).textContent()))
  const elsewhere = (await chatsOf(dana)).reduce((sum, { unreadCount }) => sum + unreadCount, 0)
  const unread = (count: number) => {
    const total = elsewhere + count
    const told = async () => (await shown()).every((label) => label?.endsWith(`Messages, ${total} unread`))
    return until(`${total} unread in every tab`, told)
  }
  await unread(0)
  t.same(notices, { asked: 0, sound: 0, desktop: 0 }, 'both are off by default')
  for (const item of ['Turn sound on', 'Turn desktop notifications on']) {
    await dana.getByRole('button', { name: 'Message alerts' }).click()
    await dana.getByRole('menuitem', { name: item }).click()
  }
  await until('the permission prompt', () => notices.asked === 1)
  const wantsBoth = (tab: Page) =>
    tab.evaluate(() => localStorage.getItem('lanewire.notices')?.includes('"desktop":true'))
  await until('the choice to reach every tab', async () => (await Promise.all(tabs.map(wantsBoth))).every(Boolean))
  for (const [index, text] of ['Are you there?', 'Call me'].entries()) {
    await say(marcus, 'Dana Torres', text)
    await unread(1 + index)
    // A hidden tab may play the sound instead of this tab, slightly later.
    const isDecoded = () => notices.desktop > index && notices.sound > index
    await until('the notification and its sound', isDecoded)
  }
  t.same(notices, { asked: 1, sound: 2, desktop: 2 })
  await dana.bringToFront()
  await conversation(dana, 'Marcus Webb').click()
  await unread(0)
})
