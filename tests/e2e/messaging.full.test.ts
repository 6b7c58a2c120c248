import { readFileSync } from 'node:fs'
import t from 'tap'
import { axeViolations, showTheme, violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import {
  arrive,
  arriveMarcus,
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
import { startProduct } from '#tests/support/product.ts'
import { rememberToasts, toastSaid } from '#tests/support/toasts.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

t.test('between two dealers', async (t) => {
  const [danas, marcus] = await Promise.all([arrive(t, browser, url, 'dana'), arriveMarcus(t, browser, url)])
  const dana = danas.page
  await rememberToasts(dana)
  await openChat(dana, 'Marcus Webb')

  await t.test('delivers a picture and a PDF, and refuses files that are too large or of another type', async (t) => {
    const file = dana.getByRole('region', { name: 'Chat with Marcus Webb' }).locator('input[type=file]')
    const [picture, document] = [
      { name: 'lot.png', mimeType: 'image/png', buffer: readFileSync('client/public/icons/icon-192.png') },
      { name: 'title.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') },
    ]
    const sent = await bubbles(dana, 'Marcus Webb').count()
    await file.setInputFiles({ ...document, name: 'x.exe', mimeType: 'application/x-msdownload' })
    await toastSaid(dana, 'Please select an image or a PDF')
    await file.setInputFiles({ ...picture, buffer: Buffer.alloc(10 * 1024 * 1024 + 1) })
    await toastSaid(dana, 'Attachments can be up to 10 MB')

    await danas.context.route('**/api/objects/upload', (route) => route.abort())
    await file.setInputFiles(picture)
    const failed = dana.getByRole('list', { name: 'Uploads' })
    await failed.getByText(/^Not uploaded/).waitFor()
    t.equal(await bubbles(dana, 'Marcus Webb').count(), sent, 'nothing was sent')
    await danas.context.unroute('**/api/objects/upload')
    await failed.getByRole('button', { name: 'Retry' }).click()
    const shown = log(marcus, 'Dana Torres').getByAltText('lot.png')
    await until('the picture to load', () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth > 0))
    await failed.waitFor({ state: 'detached' })

    await file.setInputFiles(document)
    const link = log(marcus, 'Dana Torres').getByRole('link', { name: 'title.pdf' })
    const answer = await marcus.request.get((await link.getAttribute('href')) ?? '')
    t.equal(answer.headers()['content-type'], 'application/pdf')
  })

  await t.test('never sends blank text or text that an input method is still composing', async (t) => {
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
    t.match((await texts()).slice(before), [/Something at last/], 'nothing else was sent')
  })
})

t.test('for a dealer whose connection breaks', async (t) => {
  const [danas, marcus] = await Promise.all([arrive(t, browser, url, 'dana', true), arriveMarcus(t, browser, url)])
  const dana = danas.page
  const line = await liveSwitch(danas)
  await openChat(dana, 'Marcus Webb')

  await t.test('shows every message in a tab that slept until its connection was dead', async (t) => {
    const tab = await danas.context.newPage()
    await tab.clock.install()
    const hello = line.hello()
    await tab.goto(light)
    await log(tab, 'Marcus Webb').waitFor()
    await hello
    line.deafen()
    // Block requests, because those made when reconnecting would deliver the message, too.
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

t.test(
  'keeps three windows, for which the list closes, and folds the oldest only where three have no room',
  async (t) => {
    const { page: dana } = await arrive(t, browser, url, 'dana')
    await openChat(dana, 'Marcus Webb')
    const list = dana.getByRole('button', { name: 'Close list' })
    const openList = () => dana.getByRole('button', { name: /^Messaging/ }).click()
    const windows = () =>
      dana.locator('section[aria-label^="Chat with"]').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))
    const open = (name: string) => new RegExp(`^Chat with ${name}$`)
    const folded = (name: string) => new RegExp(`^Chat with ${name}.*, minimized$`)
    await conversation(dana, 'Karen Boyle').click()
    await log(dana, 'Karen Boyle').waitFor()
    t.ok(await list.isVisible(), 'two windows fit beside the list')
    await conversation(dana, 'Elena Park').click()
    await list.waitFor({ state: 'detached' })
    t.match(await windows(), ['Marcus Webb', 'Karen Boyle', 'Elena Park'].map(open), 'the list closes first')
    await openList()
    t.match(await windows(), [folded('Marcus Webb'), open('Karen Boyle'), open('Elena Park')], 'a press on it wins')
    await conversation(dana, 'Priya Nair').click()
    await log(dana, 'Priya Nair').waitFor()
    t.match(await windows(), ['Karen Boyle', 'Elena Park', 'Priya Nair'].map(open), 'the oldest of four closed')
    t.equal((await windows()).length, 3)
    await box(dana, 'Priya Nair').press('Escape')
    t.equal(await log(dana, 'Priya Nair').count(), 0)
    t.match(
      await dana.evaluate(() => document.activeElement?.textContent),
      /^Messaging/,
      'the list that had the focus is gone',
    )
    await dana.setViewportSize({ width: 1600, height: 900 })
    await openList()
    await conversation(dana, 'Priya Nair').click()
    await log(dana, 'Priya Nair').waitFor()
    t.ok(await list.isVisible(), 'a wide screen has room for all')
    await dana.setViewportSize({ width: 1280, height: 900 })
    await list.waitFor({ state: 'detached' })
    await log(dana, 'Karen Boyle').waitFor({ state: 'detached' })
    t.match(await windows(), [folded('Karen Boyle'), open('Elena Park'), open('Priya Nair')])
  },
)

t.test('says why a message was refused, and lets its author delete or resend it', async (t) => {
  const [{ page: dana }, { page: elena }] = [
    await arrive(t, browser, url, 'dana'),
    await arrive(t, browser, url, 'elena'),
  ]
  await Promise.all([openChat(dana, 'Elena Park'), openChat(elena, 'Dana Torres')])
  await elena.getByRole('button', { name: /^Dana Torres.*chat options/ }).click()
  await elena.getByRole('menuitem', { name: 'Block' }).click()
  await elena.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await elena.getByText('You have blocked Dana Torres.').waitFor()
  for (const text of ['Can you hear me?', 'Never mind']) await say(dana, 'Elena Park', text)
  const refused = log(dana, 'Elena Park').getByText('This dealer is not accepting messages from you')
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

t.test('lists and searches chats on the messages page and opens the chat of its address', async (t) => {
  const { page: dana } = await arrive(t, browser, url, 'dana')
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

t.test('starts a chat with a dealer found by search, opens it by its address, and mutes it', async (t) => {
  const { page: dana } = await arrive(t, browser, url, 'dana')
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

t.test("opens the chat from a post's Message button and sends the next message about that post", async (t) => {
  const { page: dana } = await arrive(t, browser, url, 'dana')
  await dana.goto('/')
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
  t.equal(await dock.locator('a[href^="/post/"]').count(), 0, 'no message is about a post yet')
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
  t.pass('the chat opens again, so the button had the focus')
})

t.test('has no accessibility violations on a wide screen and on a phone', async (t) => {
  const { page: dana } = await arrive(t, browser, url, 'dana')
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
