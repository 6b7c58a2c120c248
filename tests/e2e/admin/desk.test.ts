import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import type { CasesPage } from '#shared/schemas/moderation.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { cloneDatabase, execute } from '#tests/support/services.ts'

const database = await cloneDatabase(t, 'TEST_DEMO_TEMPLATE')
const url = await startProduct(t, { RATE_LIMITS: 'off', DATABASE_URL: database })
const browser = await openBrowser(t)

const gone = (what: Locator) => what.waitFor({ state: 'detached' })

async function giveReason(page: Page, title: string | RegExp, label: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByLabel('Reason').fill('Sold the same car twice')
  await dialog.getByRole('button', { name: label }).click()
  await gone(dialog)
}

t.test('signs out the open tab of a dealer at once when an admin suspends the dealer', async (t) => {
  const [admin, elena] = [await openDealer(browser, url, 'admin'), await openDealer(browser, url, 'elena')]
  await elena.page.goto('/')
  await elena.page.getByText('Live updates').waitFor()
  const { page } = admin
  await page.goto('/admin/users')
  await page.getByRole('searchbox').fill('elena@parkway')
  await page.getByText('1 account', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await giveReason(page, /^Suspend /, 'Suspend')
  await page.getByRole('row').filter({ hasText: 'elena@parkway.example' }).getByText('Suspended').waitFor()
  await elena.page.getByRole('heading', { name: 'The wholesale lane, open on your desk all day.' }).waitFor()
  t.equal((await elena.context.request.get('/api/auth/me')).status(), 401)
  await Promise.all([admin.leave(), elena.context.close()])
})

t.test('removes a post from the open feed of the dealer who reported it when an admin hides it', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana')
  await page.goto('/')
  await page.getByRole('button', { name: 'Report post' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Report this post' })
  await dialog.getByRole('radio', { name: 'Fraud, scam or non-payment' }).click()
  await dialog.getByLabel('Details').fill('Same pictures as another post')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await gone(dialog)

  const admin = await openDealer(browser, url, 'admin')
  const { cases } = (await (await admin.context.request.get('/api/admin/moderation')).json()) as CasesPage
  t.match(cases[0], { kind: 'post', reports: [{ reason: 'fraud', details: 'Same pictures as another post' }] })
  const title = cases[0]?.title ?? ''
  await admin.page.goto('/admin/moderation')
  await admin.page.getByText(title).first().waitFor()
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

t.test('lets ops see a job fail live, retry it after fixing the cause, and pause and resume a queue', async () => {
  const { page, leave } = await openDealer(browser, url, 'ops')
  await page.goto('/admin/queues')
  await page.getByText('Live, updated every second').waitFor()
  await page.getByText('No failed jobs').waitFor()
  // Insert the job directly, because no screen can create a job that fails immediately.
  await execute(
    `insert into outbox (kind, name, payload)
      select 'job', 'no.such', jsonb_build_object('postId', id) from posts limit 1`,
    database,
  )
  const retry = page.getByRole('button', { name: /^Retry no\.such/ })
  await retry.waitFor()
  await page.getByText('1 job has used up all attempts').waitFor()
  await execute(`update outbox set name = 'post.summarize' where name = 'no.such'`, database)
  await retry.click()
  await page.getByText('No failed jobs').waitFor()
  await gone(page.getByText('1 job has used up all attempts'))
  await page.getByRole('button', { name: 'Pause mail' }).click()
  await page.getByText('Paused manually').waitFor()
  await page.getByRole('button', { name: 'Resume mail' }).click()
  await gone(page.getByText('Paused manually'))
  await leave()
})
