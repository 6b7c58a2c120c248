import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Chat } from '#shared/schemas/messaging.ts'
import { putToSleep } from '#tests/support/asleep.ts'
import { axeViolations, showTheme, violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { badge, box, bubbles, chatsOf, conversation, light, log, openChat, say } from '#tests/support/chat-page.ts'
import { changeDealer, liveSwitch, openDealer } from '#tests/support/dealer-page.ts'
import { countNotices } from '#tests/support/message-notices.ts'
import { startProduct } from '#tests/support/product.ts'
import { rememberToasts, toastSaid } from '#tests/support/toasts.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/**
 * A browser of this dealer's own. The demo network is everybody's: what a test counts, it counts from how it found it.
 * @param keeps scripts of the test, and is closed after it
 */
async function arrive(t: Test, who: 'dana' | 'elena' | 'marcus', keeps = false) {
  const dealer = await openDealer(browser, url, who)
  t.teardown(() => (keeps ? dealer.context.close() : dealer.leave()))
  return dealer
}

/** Marcus in a browser of his own, with the chat with Dana in his dock. */
async function arriveMarcus(t: Test): Promise<Page> {
  const { page } = await arrive(t, 'marcus')
  await openChat(page, 'Dana Torres')
  return page
}

t.test('two who talk to each other', async (t) => {
  const [danas, marcus] = await Promise.all([arrive(t, 'dana'), arriveMarcus(t)])
  const dana = danas.page
  await rememberToasts(dana)
  await openChat(dana, 'Marcus Webb')

  await t.test('what one types and sends, the other sees typed, sent, and answers', async (t) => {
    await box(dana, 'Marcus Webb').pressSequentially('Is the reserve')
    // Typing is volatile: on a busy machine one may be lost, and whoever types on is heard.
    await until('the typing to be seen', async () => {
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

  await t.test('a picture and a PDF arrive; what is too large or of another kind is refused', async (t) => {
    const file = dana.getByRole('region', { name: 'Chat with Marcus Webb' }).locator('input[type=file]')
    const [picture, document] = [
      { name: 'lot.png', mimeType: 'image/png', buffer: readFileSync('client/public/icons/icon-192.png') },
      { name: 'title.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') },
    ]
    const sent = await bubbles(dana, 'Marcus Webb').count()
    await file.setInputFiles({ ...document, name: 'x.exe', mimeType: 'application/x-msdownload' })
    await toastSaid(dana, 'Please select an image or a PDF')
    await file.setInputFiles({ ...picture, buffer: Buffer.alloc(10 * 1024 * 1024 + 1) })
    await toastSaid(dana, 'Attachments are 10 MB at most')

    await danas.context.route('**/api/objects/upload', (route) => route.abort())
    await file.setInputFiles(picture)
    const failed = dana.getByRole('list', { name: 'Uploads' })
    await failed.getByText(/^Not uploaded/).waitFor()
    t.equal(await bubbles(dana, 'Marcus Webb').count(), sent, 'nothing was sent')
    await danas.context.unroute('**/api/objects/upload')
    await failed.getByRole('button', { name: 'Retry' }).click()
    const shown = log(marcus, 'Dana Torres').getByAltText('lot.png')
    await until('the picture', () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth > 0))
    await failed.waitFor({ state: 'detached' })

    await file.setInputFiles(document)
    const link = log(marcus, 'Dana Torres').getByRole('link', { name: 'title.pdf' })
    const answer = await marcus.request.get((await link.getAttribute('href')) ?? '')
    t.equal(answer.headers()['content-type'], 'application/pdf')
  })

  await t.test(
    'who has scrolled up stays there, is told what came, jumps to it, and only then has read it',
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

  await t.test('blank is never sent, nor what an input method is still composing', async (t) => {
    const draft = box(dana, 'Marcus Webb')
    const texts = () => bubbles(dana, 'Marcus Webb').allTextContents()
    const before = (await texts()).length
    await draft.fill('   ')
    await draft.press('Enter')
    await draft.fill('にほ')
    await draft.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    t.equal(await draft.inputValue(), 'にほ')
    await say(dana, 'Marcus Webb', 'Something at last')
    await bubbles(dana, 'Marcus Webb')
      .filter({ hasText: 'Something at last' })
      .getByText(/^(Sent|Seen)/)
      .waitFor()
    t.match((await texts()).slice(before), [/Something at last/], 'and nothing else')
  })
})

t.test('one whose line breaks', async (t) => {
  const [danas, marcus] = await Promise.all([arrive(t, 'dana', true), arriveMarcus(t)])
  const dana = danas.page
  const line = await liveSwitch(danas)
  await openChat(dana, 'Marcus Webb')

  await t.test('what came while the line was cut is there when it is back', async (t) => {
    await line.cut()
    for (const n of [1, 2, 3]) await say(marcus, 'Dana Torres', `Said to nobody ${n}`)
    await log(marcus, 'Dana Torres').getByText('Sending').first().waitFor({ state: 'detached' })
    line.restore()
    await log(dana, 'Marcus Webb').getByText('Said to nobody 3').waitFor()
    t.match(await log(dana, 'Marcus Webb').textContent(), /nobody 1.*nobody 2.*nobody 3/s)
  })

  await t.test('what cannot be sent survives a reload, and is sent once, and in order', async (t) => {
    await danas.context.route('**/api/messages', (route) => route.abort())
    for (const text of ['Written offline 1', 'Written offline 2']) await say(dana, 'Marcus Webb', text)
    await box(dana, 'Marcus Webb').fill('A draft')
    await log(dana, 'Marcus Webb').getByText('Sending').last().waitFor()
    await dana.reload()
    await log(dana, 'Marcus Webb').getByText('Written offline 2').waitFor()
    t.equal(await log(dana, 'Marcus Webb').getByText('Sending').count(), 2, 'both wait still')
    t.equal(await box(dana, 'Marcus Webb').inputValue(), 'A draft', 'the draft is still there')
    await danas.context.unroute('**/api/messages')
    await log(marcus, 'Dana Torres').getByText('Written offline 2').waitFor()
    await log(dana, 'Marcus Webb').getByText('Sending').first().waitFor({ state: 'detached' })
    for (const page of [log(dana, 'Marcus Webb'), log(marcus, 'Dana Torres')])
      t.match(
        await page.textContent(),
        /^(?!.*Written offline 1.*Written offline 1).*Written offline 1.*Written offline 2/s,
      )
  })

  await t.test('a tab that slept until its line was dead has everything when it wakes', async (t) => {
    const tab = await danas.context.newPage()
    await tab.clock.install()
    const hello = line.hello()
    await tab.goto(light)
    await log(tab, 'Marcus Webb').waitFor()
    await hello
    line.deafen()
    // What it asked for when it connected would bring it as well.
    await tab.route('**/api/**', (route) => route.abort())
    await say(marcus, 'Dana Torres', 'Said to a sleeper')
    await bubbles(marcus, 'Dana Torres').filter({ hasText: 'Said to a sleeper' }).waitFor()
    t.equal(await log(tab, 'Marcus Webb').getByText('Said to a sleeper').count(), 0)
    await tab.unroute('**/api/**')
    await tab.clock.fastForward('10:00')
    await log(tab, 'Marcus Webb').getByText('Said to a sleeper').waitFor()
    await tab.close()
  })
})

t.test('three tabs have one badge, one sound and one notice; reading in one clears it in all', async (t) => {
  const [danas, marcus] = await Promise.all([arrive(t, 'dana', true), arriveMarcus(t)])
  const dana = danas.page
  const notices = await countNotices(danas.context)
  await openChat(dana, 'Marcus Webb')
  const isWithMarcus = ({ participants }: Chat) => participants.some(({ name }) => name === 'Marcus Webb')
  const isRead = async () => (await chatsOf(dana)).find(isWithMarcus)?.unreadCount === 0
  await until('what Marcus said before to be read', isRead)
  await box(dana, 'Marcus Webb').press('Escape')
  await log(dana, 'Marcus Webb').waitFor({ state: 'detached' })
  await conversation(dana, 'Karen Boyle').click()
  await log(dana, 'Karen Boyle').waitFor()
  const tabs = [dana, await danas.context.newPage(), await danas.context.newPage()] as const
  for (const tab of tabs.slice(1)) await tab.goto(light)
  const shown = () => Promise.all(tabs.map((tab) => badge(tab).getAttribute('aria-label')))
  const elsewhere = (await chatsOf(dana)).reduce((sum, { unreadCount }) => sum + unreadCount, 0)
  const unread = (count: number) => {
    const total = elsewhere + count
    const told = async () => (await shown()).every((label) => label === `Messages, ${total} unread`)
    return until(`${total} unread in every tab`, told, 30_000)
  }
  await unread(0)
  t.same(notices, { asked: 0, sound: 0, desktop: 0 }, 'both are off until somebody wants them')
  for (const item of ['Turn sound on', 'Turn desktop notices on']) {
    await dana.getByRole('button', { name: 'Notices' }).click()
    await dana.getByRole('menuitem', { name: item }).click()
  }
  await until('the question for permission', () => notices.asked === 1, 30_000)
  const wantsBoth = (tab: Page) =>
    tab.evaluate(() => localStorage.getItem('lanewire.notices')?.includes('"desktop":true'))
  await until('the choice in every tab', async () => (await Promise.all(tabs.map(wantsBoth))).every(Boolean), 30_000)
  for (const [index, text] of ['Are you there?', 'Call me'].entries()) {
    await say(marcus, 'Dana Torres', text)
    await unread(1 + index)
    // The tab that shows it may be one that may not sound: that is another one's part, after it.
    const isTold = () => notices.desktop > index && notices.sound > index
    await until('the notice and its sound', isTold, 30_000)
  }
  t.same(notices, { asked: 1, sound: 2, desktop: 2 })
  await dana.bringToFront()
  await conversation(dana, 'Marcus Webb').click()
  await unread(0)
})

t.test('a tab that wakes after another dealer signed in sends nothing of the former one', async (t) => {
  const [{ page: sleeper, context }, marcus] = await Promise.all([arrive(t, 'dana'), arriveMarcus(t)])
  await openChat(sleeper, 'Marcus Webb')
  await context.route('**/api/messages', (route) => route.abort())
  await say(sleeper, 'Marcus Webb', 'In the name of Dana')
  await log(sleeper, 'Marcus Webb').getByText('Sending').last().waitFor()
  const wake = await putToSleep(sleeper)

  const awake = await context.newPage()
  await awake.goto(light)
  await awake.getByRole('button', { name: 'Account: Dana Torres' }).click()
  await awake.getByRole('menuitem', { name: 'Log Out' }).click()
  await awake.waitForURL(`${url}/login`)
  await awake.getByLabel('Email').fill('elena@parkway.example')
  await awake.getByLabel('Password').fill('lanewire-demo-2026')
  await awake.getByRole('button', { name: 'Login', exact: true }).click()
  await awake.getByRole('button', { name: 'Account: Elena Park' }).waitFor()

  const sent: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url() === `${url}/api/messages`)
      sent.push((request.postDataJSON() as { content: string }).content)
  })
  await context.unroute('**/api/messages')
  await wake()
  await sleeper.getByRole('button', { name: 'Account: Elena Park' }).waitFor()
  await openChat(sleeper, 'Dana Torres')
  await say(sleeper, 'Dana Torres', 'In the name of Elena')
  await bubbles(sleeper, 'Dana Torres')
    .filter({ hasText: 'In the name of Elena' })
    .getByText(/^(Sent|Seen)/)
    .waitFor()
  t.same(sent, ['In the name of Elena'])
  await awake.close()

  await changeDealer(browser, url, context, 'dana')
  await sleeper.getByRole('button', { name: 'Account: Dana Torres' }).waitFor()
  await bubbles(marcus, 'Dana Torres').filter({ hasText: 'In the name of Dana' }).waitFor()
  t.same(sent, ['In the name of Elena', 'In the name of Dana'], 'it was kept for who wrote it')
})

t.test('a fourth window drops the oldest; list and two fit at 1,440, three at 1,600; older ones fold', async (t) => {
  const { page: dana } = await arrive(t, 'dana')
  await openChat(dana, 'Marcus Webb')
  for (const name of ['Karen Boyle', 'Elena Park', 'Priya Nair']) await conversation(dana, name).click()
  await log(dana, 'Priya Nair').waitFor()
  const windows = () =>
    dana.locator('section[aria-label^="Chat with"]').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))
  const open = (name: string) => new RegExp(`^Chat with ${name}$`)
  const folded = (name: string) => new RegExp(`^Chat with ${name}.*, minimised$`)
  t.match(await windows(), [folded('Karen Boyle'), open('Elena Park'), open('Priya Nair')])
  t.equal((await windows()).length, 3, 'Marcus Webb made room')
  await box(dana, 'Priya Nair').press('Escape')
  t.equal(await log(dana, 'Priya Nair').count(), 0)
  t.match(await dana.evaluate(() => document.activeElement?.textContent), /Priya Nair/, 'the focus is back')
  await conversation(dana, 'Priya Nair').click()
  await dana.setViewportSize({ width: 1600, height: 900 })
  await dana.getByRole('button', { name: /Karen Boyle.*expand chat/ }).click()
  await log(dana, 'Karen Boyle').waitFor()
  t.match(await windows(), ['Karen Boyle', 'Elena Park', 'Priya Nair'].map(open), 'in the order of their opening')
  await dana.setViewportSize({ width: 1280, height: 900 })
  await log(dana, 'Elena Park').waitFor({ state: 'detached' })
  t.match(await windows(), [open('Karen Boyle'), folded('Elena Park'), folded('Priya Nair')])
})

t.test('a refused message says why, and can be deleted or sent again', async (t) => {
  const [{ page: dana }, { page: elena }] = [await arrive(t, 'dana'), await arrive(t, 'elena')]
  await Promise.all([openChat(dana, 'Elena Park'), openChat(elena, 'Dana Torres')])
  await elena.getByRole('button', { name: /^Dana Torres.*chat options/ }).click()
  await elena.getByRole('menuitem', { name: 'Block' }).click()
  await elena.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await elena.getByText('You have blocked Dana Torres.').waitFor()
  for (const text of ['Can you hear me?', 'Never mind']) await say(dana, 'Elena Park', text)
  const refused = log(dana, 'Elena Park').getByText('This dealer is not taking messages from you')
  await refused.nth(1).waitFor()
  await log(dana, 'Elena Park').getByRole('button', { name: 'Delete' }).last().click()
  await log(dana, 'Elena Park').getByText('Never mind').waitFor({ state: 'detached' })
  await elena.getByRole('button', { name: 'Unblock' }).click()
  await box(elena, 'Dana Torres').waitFor()
  await log(dana, 'Elena Park').getByRole('button', { name: 'Retry' }).click()
  await log(elena, 'Dana Torres').getByText('Can you hear me?').waitFor()
  await refused.waitFor({ state: 'detached' })
  t.equal(await log(elena, 'Dana Torres').getByText('Never mind').count(), 0)
})

t.test('the messages page lists, searches and shows the conversation of its address', async (t) => {
  const { page: dana } = await arrive(t, 'dana')
  const { length } = await chatsOf(dana)
  await dana.goto('/messages')
  await dana.getByText(`${length} active conversations`).waitFor()
  await dana.getByText('Select a conversation to start messaging').waitFor()
  await dana.getByRole('searchbox', { name: 'Search conversations' }).fill('nobody at all')
  await dana.getByText('No conversations found').waitFor()
  await dana.getByRole('searchbox', { name: 'Search conversations' }).fill('gulf coast')
  await conversation(dana, 'Ray Okafor').click()
  await log(dana, 'Ray Okafor').getByText('New messages').waitFor()
  t.match(dana.url(), /\/messages\?chat=/)
  await dana.getByRole('searchbox', { name: 'Search conversations' }).fill('bill of sale')
  await dana.getByRole('region', { name: 'Found messages' }).getByRole('button').first().click()
  await dana.locator('[data-seq].animate-flash', { hasText: /bill of sale/i }).waitFor()
  await dana.getByRole('button', { name: 'Open Full Chat' }).click()
  await dana.getByRole('region', { name: 'Messaging dock' }).getByRole('log').waitFor()
  t.equal(new URL(dana.url()).pathname, '/')
})

t.test('a new message is begun by finding the dealer; its address opens the chat, which can be muted', async (t) => {
  const { page: dana } = await arrive(t, 'dana')
  const { length } = await chatsOf(dana)
  await dana.goto('/messages')
  await dana.getByRole('button', { name: 'New message' }).click()
  const dialog = dana.getByRole('dialog', { name: 'New message' })
  await dialog.getByRole('searchbox', { name: 'Search dealers' }).fill('hector')
  await dialog.getByText('Hector Guerra').waitFor()
  t.same(await violationsInBothThemes(dana, '[role=dialog]'), [])
  await dialog.getByText('Hector Guerra').click()
  await log(dana, 'Hector Guerra').waitFor()
  await dana.getByText(`${length + 1} active conversations`).waitFor()
  await dana.reload()
  await log(dana, 'Hector Guerra').waitFor()
  await dana.getByRole('button', { name: /^Hector Guerra.*chat options/ }).click()
  await dana.getByRole('menuitem', { name: 'Mute' }).click()
  await dana.getByLabel('muted').first().waitFor()
})

t.test('a post’s Message button opens the chat, and what is sent then is about that post', async (t) => {
  const { page: dana } = await arrive(t, 'dana')
  await dana.goto('/')
  // Of somebody with whom nothing has been said about a post.
  const others = dana
    .getByRole('feed')
    .getByRole('article')
    .filter({ hasNotText: /Marcus|Priya|Luis|Karen|Ray|Elena/ })
  await others.getByRole('button', { name: 'Message', exact: true }).first().click()
  const dock = dana.getByRole('region', { name: 'Messaging dock' })
  await dock
    .getByText(/^About: /)
    .first()
    .waitFor()
  await dana.waitForFunction(() => document.activeElement?.ariaLabel?.startsWith('Message to'))
  t.equal(await dock.locator('a[href^="/post/"]').count(), 0, 'nothing is said yet')
  await dana.keyboard.type('Is it sold?')
  await dana.keyboard.press('Enter')
  await dock.locator('a[href^="/post/"]').first().waitFor()
  t.equal(await dock.getByText(/^About: /).count(), 0)
  await dana.keyboard.type('I can come by today.')
  await dana.keyboard.press('Tab')
  await dana.keyboard.press('Enter')
  await dock.getByRole('log').getByText('I can come by today.').waitFor()
  await dana.waitForFunction(() => document.activeElement?.ariaLabel?.startsWith('Message to'))
  await dana.keyboard.press('Escape')
  await dana.waitForFunction(() => document.activeElement?.ariaLabel === 'Message')
  await dana.keyboard.press('Enter')
  await dock.getByRole('log').first().waitFor()
  t.pass('the focus was back: it opens again')
})

t.test('nothing in it fails an accessibility rule, wide and on a phone', async (t) => {
  const { page: dana } = await arrive(t, 'dana')
  await openChat(dana, 'Marcus Webb')
  for (const [width, path, theme] of [
    [1440, '/', 'dark'],
    [1440, '/messages', 'light'],
    [390, '/messages', 'dark'],
  ] as const) {
    await showTheme(dana, theme)
    await dana.setViewportSize({ width, height: 900 })
    await goWithin(dana, path)
    if (path === '/messages') await conversation(dana, 'Luis Herrera').click()
    await dana.getByRole('log').first().waitFor()
    const found = await axeViolations(dana, '[role=region][aria-label="Messaging dock"], main')
    t.same(found, [], `${path} at ${width}`)
  }
})
