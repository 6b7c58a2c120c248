import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { allowApiAccess, liveSwitch, openDealer, openVisitor } from '#tests/support/dealer-page.ts'
import { mailedLinkAt } from '#tests/support/newcomer.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)
const headers = { origin: url }
const overPollMs = 31_000

async function saving(page: Page, act: () => Promise<void>): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/settings') && answer.ok())
  await act()
  await saved
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const save = (page: Page) => saving(page, () => page.getByRole('button', { name: 'Save', exact: true }).click())

async function openNewDealer(width: number) {
  const visitor = await openVisitor(browser, url, { width, underPolicy: true })
  const { request } = visitor.context
  await request.post('/api/auth/create-dummy', { data: {}, headers })
  const { email } = (await (await request.get('/api/auth/me')).json()) as { email: string }
  return { ...visitor, email }
}

t.test('settings', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'elena', { underPolicy: true })
  await page.goto('/settings')

  await t.test('saves the first card by its button and keeps it after a reload', async (t) => {
    const sharing = page.getByRole('switch', { name: 'Contact sharing' })
    t.equal(await sharing.getAttribute('aria-checked'), 'false', 'off by default')
    await sharing.click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Feed' }).click()
    await page.getByRole('alertdialog').getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await save(page)
    await page.getByText('Settings saved', { exact: true }).waitFor()
    await page.reload()
    t.equal(await sharing.getAttribute('aria-checked'), 'true')
  })

  await t.test('applies items per page and view to the feed, and the theme everywhere', async (t) => {
    const cards = page.getByRole('feed').getByRole('article')
    await choose(page, 'Items per page', '10')
    await choose(page, 'Inventory view', 'Grid')
    await save(page)
    await page.getByRole('button', { name: 'Appearance' }).click()
    await saving(page, () => choose(page, 'Theme', 'Dark'))
    t.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
    await goWithin(page, '/')
    await page.getByText('showing 10').waitFor()
    await until('ten cards', async () => (await cards.count()) === 10)
    const tops = await Promise.all([0, 1, 2].map(async (place) => (await cards.nth(place).boundingBox())?.y))
    t.equal(tops[0], tops[1], 'two cards share a row')
    t.not(tops[1], tops[2])
    t.ok(
      await cards.evaluateAll((all) => all.every((card) => card.scrollWidth <= card.clientWidth)),
      'no card overflows',
    )
    await cards.getByText('AI summary').first().waitFor()
    await goWithin(page, '/settings')
    await choose(page, 'Inventory view', 'Compact')
    await choose(page, 'Items per page', '20')
    await save(page)
    await page.goto('/')
    await cards.first().waitFor()
    await page.getByText('showing 20').waitFor()
    t.equal(await cards.getByText('AI summary').count(), 0, 'no AI summaries')
    t.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  })
  await leave()
})

t.test('lets a dealer change picture and email, download the data, and delete the account', async (t) => {
  const { page, context, email, leave } = await openNewDealer(1280)
  await page.goto('/profile-edit')
  const picture = page.getByRole('button', { name: 'Choose a picture' })
  const answer = page.waitForResponse('**/api/profile/avatar')
  await picture.setInputFiles({ name: 'note.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  t.equal((await answer).status(), 415, 'the type is judged by the content')
  const wide = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#246' } })
    .png()
    .toBuffer()
  await picture.setInputFiles({ name: 'lot.png', mimeType: 'image/png', buffer: wide })
  await page.getByRole('button', { name: 'Remove picture' }).waitFor()
  const shown = page.getByRole('main').locator('img[src*="/objects/"]').first()
  await shown.waitFor()
  t.same(
    await shown.evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      return image.naturalWidth === image.naturalHeight
    }),
    true,
    'cropped to a square',
  )
  await page.getByLabel('ZIP').fill('nowhere')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByText('Enter a ZIP such as 75201 or a postal code such as M5V 2T6').waitFor()

  const wanted = `moved-${email}`
  await page.getByLabel('New email').fill(wanted)
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByText(`${wanted} is pending. Open the link we emailed to confirm it.`).waitFor()
  const tab = await context.newPage()
  const mail = { to: wanted, subject: 'Confirm your new email for Lanewire' }
  await tab.goto(await mailedLinkAt(context.request, url, mail))
  await tab.getByText('Your email is changed').waitFor()
  await page.getByRole('main').getByText(wanted, { exact: true }).waitFor()

  await goWithin(page, '/settings#data')
  await page.getByRole('button', { name: 'Prepare a copy' }).click()
  const ready = page.getByRole('link', { name: 'Download', exact: true })
  await ready.waitFor()
  const downloading = page.waitForEvent('download')
  await ready.click()
  const file = await (await downloading).path()
  t.equal((await readFile(file)).toString('latin1', 0, 2), 'PK', 'a ZIP file')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByLabel('Your email').fill(wanted)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('link', { name: 'Get Started' }).first().waitFor()
  t.equal((await context.request.get('/api/auth/me')).status(), 401)
  await leave()
})

t.test('keeps this browser signed in and live after a password change, and lists valid API keys', async (t) => {
  const { page, context, email, leave } = await openNewDealer(1440)
  await allowApiAccess(browser, url, email)
  const made = await context.request.post('/api/api-keys', { data: { name: 'Website', scope: 'read' }, headers })
  const { secret } = (await made.json()) as { secret: string }
  const connected = page.waitForEvent('websocket')
  await page.goto('/settings#security')
  await connected
  await page.getByLabel('New password', { exact: true }).fill('seven quiet lorries at dawn')
  await page.getByLabel('Confirm new password').fill('seven quiet lorries at dawn')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Password Changed', { exact: true }).waitFor()
  const stays = page.getByRole('region', { name: 'API keys that still work' })
  await stays.getByText('Website').waitFor()
  // The old session and its connection have ended, so the event must arrive through the new session.
  const saved = await context.request.patch('/api/profile', { data: { name: 'Heard Again' }, headers })
  t.ok(saved.ok())
  await page.getByText('Heard Again').first().waitFor()
  await stays.getByRole('button', { name: 'Revoke all' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke all' }).click()
  await page.getByText('All API keys are revoked').waitFor()
  t.equal((await fetch(`${url}/api/deals`, { headers: { authorization: `Bearer ${secret}` } })).status, 401)
  await page.getByRole('button', { name: /^API keys/ }).click()
  await page.getByText('No API keys').waitFor()
  await leave()
})

t.test('does not poll without a connection when auto-refresh is off', async (t) => {
  const dealer = await openDealer(browser, url, 'elena', { underPolicy: true })
  const { page, context } = dealer
  const live = await liveSwitch(dealer)
  const isFeed = (message: { url(): string }) => /\/api\/inventory(?!.*\/(impressions|market))/.test(message.url())
  const asked: string[] = []
  page.on('request', (request) => void (isFeed(request) && asked.push(request.url())))
  const cutOff = async () => {
    await page.getByText('Live updates').waitFor()
    await page.getByRole('article').first().waitFor()
    await live.cut()
  }
  /** Returns whether the page polls within `overPollMs`. When the final `fetch` returns, Playwright has reported all earlier requests. */
  const asksInTime = async () => {
    asked.length = 0
    await page.clock.fastForward(overPollMs)
    await page.evaluate(() => fetch('/api/auth/status').then(({ status }) => status))
    return asked.length > 0
  }
  await page.clock.install()
  await page.goto('/')
  await cutOff()
  for (let times = 0; times < 3; times += 1) await until('a poll', asksInTime)
  live.restore()
  await goWithin(page, '/settings')
  await page.getByRole('switch', { name: 'Auto-refresh' }).click()
  await save(page)
  await goWithin(page, '/')
  await cutOff()
  // Opening the page and losing the connection cause one request each.
  await until('requests to stop', async () => !(await asksInTime()))
  for (let times = 0; times < 3; times += 1) t.notOk(await asksInTime(), 'sends no request')
  await context.close()
})
