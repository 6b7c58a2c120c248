import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import type { AdminDealsPage } from '#shared/schemas/admin.ts'
import type { CasesPage } from '#shared/schemas/moderation.ts'
import { axeViolations } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { getsFocus } from '#tests/support/keys.ts'
import { startProduct } from '#tests/support/product.ts'
import { cloneDatabase, execute } from '#tests/support/services.ts'

const database = await cloneDatabase(t, 'TEST_DEMO_TEMPLATE')
const url = await startProduct(t, { RATE_LIMITS: 'off', DATABASE_URL: database })
const browser = await openBrowser(t)

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const gone = (what: Locator) => what.waitFor({ state: 'detached' })

async function giveReason(page: Page, title: string | RegExp, label: string): Promise<void> {
  const dialog = dialogOf(page, title)
  await dialog.getByLabel('Reason').fill('Sold the same car twice')
  await dialog.getByRole('button', { name: label }).click()
  await gone(dialog)
}

t.test("removes a reported post from the reporter's open feed once an admin hides it", async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana')
  await page.goto('/')
  await page.getByRole('button', { name: 'Report post' }).first().click()
  const dialog = dialogOf(page, 'Report this post')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await dialog.getByText('Choose a reason').waitFor()
  t.same(await axeViolations(page), [], 'report dialog has no violations')
  await dialog.getByRole('radio', { name: 'Fraud, scam or non-payment' }).click()
  await dialog.getByLabel('Details').fill('Same pictures as another post')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await gone(dialog)

  const admin = await openDealer(browser, url, 'admin')
  const { cases } = (await (await admin.context.request.get('/api/admin/moderation')).json()) as CasesPage
  t.match(cases, [{ kind: 'post', reports: [{ reason: 'fraud', details: 'Same pictures as another post' }] }])
  const title = cases[0]?.title ?? ''
  await admin.page.goto('/admin/moderation')
  await admin.page.getByText(title).first().waitFor()
  t.same(await axeViolations(admin.page), [], 'moderation queue has no violations')
  await admin.page
    .getByRole('button', { name: /^Hide the post by/ })
    .first()
    .click()
  await giveReason(admin.page, 'Hide this post?', 'Hide')
  await gone(page.getByRole('heading', { level: 2, name: title, exact: true }))
  await goWithin(page, `/post/${cases[0]?.subjectId ?? ''}`)
  await page.getByRole('heading', { name: 'Post not found' }).waitFor()
  await Promise.all([leave(), admin.leave()])
})

t.test("shows an admin's changes at once to the dealers concerned, and lists all in the audit log", async () => {
  const { page, leave } = await openDealer(browser, url, 'admin')
  const [dana, elena] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
  await Promise.all([dana.page.goto('/'), elena.page.goto('/')])
  for (const { page: feed } of [dana, elena]) await feed.getByText('Live updates').first().waitFor()

  await page.goto('/admin/promo')
  await page.getByRole('button', { name: 'Create Promotion' }).click()
  await page.getByText('Title is required').waitFor()
  await page.getByLabel('Title').fill('Half price transport')
  await page.getByLabel('Message').fill('All of this week')
  await page.getByRole('button', { name: 'Create Promotion' }).click()
  await page.getByRole('heading', { level: 3, name: 'Half price transport' }).waitFor()
  await dana.page.getByText('Half price transport').waitFor()
  await page.getByRole('button', { name: 'PAUSE' }).first().click()
  await gone(dana.page.getByText('Half price transport'))

  await goWithin(page, '/admin/users')
  await page.getByRole('searchbox').fill('elena@parkway')
  const row = page.getByRole('row').filter({ hasText: 'elena@parkway.example' })
  const actions = row.getByRole('button', { name: /^Actions for/ })
  await page.getByText('1 account', { exact: true }).waitFor()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = dialogOf(page, /^Edit /)
  await edit.getByLabel('City').fill('Waco')
  await edit.getByRole('button', { name: 'Save' }).click()
  await gone(edit)
  await row.getByText('Waco').waitFor()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await giveReason(page, /^Suspend /, 'Suspend')
  await row.getByText('Suspended').waitFor()
  await gone(elena.page.getByText('Live updates'))

  await goWithin(page, '/admin/deals')
  await page.getByRole('radio', { name: 'In review' }).click()
  await gone(page.getByRole('cell', { name: 'Approved', exact: true }).first())
  await page
    .getByRole('button', { name: /^View / })
    .first()
    .click()
  await page.getByRole('button', { name: 'APPROVE' }).click()
  await gone(page.getByRole('dialog'))

  await goWithin(page, '/admin/pricing')
  await page.getByLabel('Price per month').first().fill('109')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await gone(page.getByRole('button', { name: 'Save', exact: true }))

  await goWithin(page, '/admin/audit')
  const seen = async (action: string) => page.getByRole('cell', { name: action, exact: true }).first().waitFor()
  for (const action of [
    'Changed a plan',
    'Approved a deal',
    'Suspended an account',
    'Edited an account',
    'Created a promotion',
  ])
    await seen(action)
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Plans', exact: true }).click()
  await gone(page.getByRole('cell', { name: 'Approved a deal', exact: true }).first())
  await seen('Changed a plan')
  await Promise.all([leave(), dana.leave(), elena.leave()])
})

t.test('lets an admin verify a license, invite and delete a colleague, and export all accounts', async (t) => {
  await execute(
    `update dealers set license_number = 'OK-4711', license_verified_at = null where email = 'marcus@webbbros.example'`,
    database,
  )
  const { page, leave } = await openDealer(browser, url, 'admin')
  await page.goto('/admin/users')
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'License to verify' }).click()
  const waiting = page.getByRole('row').filter({ hasText: 'marcus@webbbros.example' })
  const actions = waiting.getByRole('button', { name: /^Actions for/ })
  await waiting.waitFor()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = dialogOf(page, /^Edit /)
  await edit.waitFor()
  await page.keyboard.press('Escape')
  await gone(edit)
  await getsFocus(actions)
  await actions.click()
  await page.getByRole('menuitem', { name: 'Review license OK-4711' }).click()
  await dialogOf(page, /^License of/)
    .getByRole('button', { name: 'Verify' })
    .click()
  await gone(waiting)

  await page.getByRole('button', { name: 'Add User' }).click()
  const add = dialogOf(page, 'Add User')
  await add.getByLabel('Name').fill('=Formula, "Inc"')
  await add.getByLabel('Email').fill('new@dealer.example')
  await add.getByRole('button', { name: 'Send invitation' }).click()
  await gone(add)
  await goWithin(page, '/admin')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export Users' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  t.match(csv, /^id,name,dealershipName,/)
  t.match(csv, `"'=Formula, ""Inc""",`, 'spreadsheet programs do not run it as a formula')

  await goWithin(page, '/admin/users')
  await page.getByRole('searchbox').fill('new@dealer')
  await page.getByText('1 account', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Actions for =Formula/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await giveReason(page, /^Delete /, 'Delete')
  await page.getByText('No dealers found').waitFor()
  await leave()
})

t.test("keeps an admin's half-written decision on a deal when the list behind it changes", async (t) => {
  const { page, leave } = await openDealer(browser, url, 'admin')
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/deals\?q=nobody/, (route) => asked.then(() => route.continue()))
  await page.goto('/admin/deals')
  const first = page.getByRole('button', { name: /^View / }).first()
  await first.waitFor()
  const request = page.waitForRequest(/deals\?q=nobody/)
  await page.getByRole('searchbox').fill('nobody')
  await request
  await first.click()
  const reason = page.getByRole('dialog').getByLabel('Reason')
  await reason.fill('The title is')
  answer()
  await page.getByText('No deals found').waitFor()
  t.equal(await reason.inputValue(), 'The title is')
  await leave()
})

t.test('shows a dealer announcements and decisions on a deal as they happen', async () => {
  const [admin, dana] = [await openDealer(browser, url, 'admin'), await openDealer(browser, url, 'dana')]
  const { page } = admin
  const found = await admin.context.request.get('/api/admin/deals?status=pending&q=dana%20torres')
  const [deal] = ((await found.json()) as AdminDealsPage).deals
  await dana.page.goto(`/deals/${deal?.id ?? ''}`)
  const state = (text: RegExp) => dana.page.getByText(text).first()
  await state(/^(pending|approved)$/i).waitFor()
  await page.goto('/admin/deals')
  await page.getByRole('radio', { name: 'In review' }).click()
  await gone(page.getByRole('cell', { name: 'Approved', exact: true }).first())
  await page.getByRole('searchbox').fill('dana torres')
  const row = page
    .getByRole('row')
    .filter({ hasText: deal?.vehicleInfo ?? '' })
    .filter({ hasText: 'Dana Torres' })
  await row
    .first()
    .getByRole('button', { name: /^View / })
    .click()
  const dialog = dialogOf(page, deal?.vehicleInfo ?? '')
  await dialog.getByRole('button', { name: 'REJECT' }).click()
  await dialog.getByText('Enter a reason for the rejection').waitFor()
  await dialog.getByLabel('Reason').fill('The title is not clear')
  await dialog.getByRole('button', { name: 'REJECT' }).click()
  await gone(dialog)
  await dana.page.getByRole('status').filter({ hasText: 'The title is not clear' }).waitFor()

  await goWithin(page, '/admin')
  const opener = page.getByRole('button', { name: 'Send Announcement' })
  await opener.click()
  const announcement = dialogOf(page, 'Send Announcement')
  await announcement.getByLabel('Title').fill('Offices closed on Friday')
  await announcement.getByLabel('Message').fill('Back on Monday at eight')
  await announcement.getByRole('button', { name: 'Send', exact: true }).click()
  await gone(announcement)
  await getsFocus(opener)
  const banner = dana.page.getByText('Offices closed on Friday')
  await banner.waitFor()
  await dana.page.getByRole('button', { name: 'Dismiss' }).first().click()
  await gone(banner)
  await Promise.all([admin.leave(), dana.leave()])
})
