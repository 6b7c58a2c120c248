import t from 'tap'
import type { AdminUsersPage } from '#shared/schemas/admin.ts'
import { axeViolations } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { cloneDatabase, execute } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const database = await cloneDatabase(t, 'TEST_DEMO_TEMPLATE')
const url = await startProduct(t, { RATE_LIMITS: 'off', DATABASE_URL: database })
const browser = await openBrowser(t)

/** Pages of the admin area. `columns` is true if the page has a different layout on wide screens. */
const screens: { path: string; title: string; columns?: boolean }[] = [
  { path: '/admin', title: 'Admin', columns: true },
  { path: '/admin/users', title: 'User Edit', columns: true },
  { path: '/admin/network', title: 'Network Rules' },
  { path: '/admin/deals', title: 'Deals Submitted' },
  { path: '/admin/promo', title: 'Promotion Edits', columns: true },
  { path: '/admin/pricing', title: 'Pricing Edits' },
  { path: '/admin/moderation', title: 'Moderation' },
  { path: '/admin/messages', title: 'Contact Messages' },
  { path: '/admin/audit', title: 'Audit Log' },
  { path: '/admin/queues', title: 'Queues', columns: true },
]

t.test('lets ops staff on a phone see a job fail, discard it and pause a queue, all live', async (t) => {
  const { page, context } = await openDealer(browser, url, 'ops', { width: 390, theme: 'dark' })
  // On a machine without locales, the browser's default language would hide the chart lines checked below.
  await page.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'en-US' }))
  await page.goto('/admin')
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
  await goWithin(page, '/admin/queues')
  await page.getByText('Live, updated every second').waitFor()
  await page.getByText('No failed jobs').waitFor()
  const line = page.locator('.uplot canvas:visible').first()
  const repainted = await line.evaluate(async (canvas: HTMLCanvasElement) => {
    const before = canvas.toDataURL()
    document.documentElement.dataset['theme'] = 'light'
    await new Promise(requestAnimationFrame)
    const after = canvas.toDataURL()
    document.documentElement.dataset['theme'] = 'dark'
    return before !== after
  })
  t.ok(repainted, 'the lines take the colors of the other theme at once')
  const card = (name: string) =>
    page
      .getByRole('list', { name: 'Queues' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
  // Insert the job directly, because no screen can create a job that fails.
  await execute(`insert into outbox (kind, name, payload) values ('job', 'no.such', '{"postId": "7"}')`, database)
  await card('default').getByText('1 job has used up all attempts').waitFor()
  await page.getByRole('button', { name: /^View no\.such/ }).click()
  const job = page.getByRole('dialog', { name: 'no.such' })
  await job.getByText('no handler for no.such').waitFor()
  t.same(await axeViolations(page), [], 'job dialog has no violations')
  await job.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByText('No failed jobs').waitFor()
  await card('default').getByText('Healthy').waitFor()
  await card('mail').getByRole('button', { name: 'Pause mail' }).click()
  await card('mail').getByText('Paused manually').waitFor()
  await card('mail').getByRole('button', { name: 'Resume mail' }).click()
  await card('mail').getByText('Healthy').waitFor()
  await context.close()
})

for (const [width, theme] of [
  [1440, 'light'],
  [390, 'dark'],
] as const)
  t.test(`keeps the admin screens accessible and within ${width} px in ${theme}`, async (t) => {
    const { page, context, leave, errors } = await openDealer(browser, url, 'admin', { width, theme })
    const found = await context.request.get('/api/admin/users?q=dana@torresauto')
    const [dana] = ((await found.json()) as AdminUsersPage).users
    const file = { path: `/admin/users/${dana?.id ?? ''}`, title: 'Dealer File', columns: true }
    await page.goto('/admin')
    for (const { path, title, columns } of [...screens, file]) {
      if (width > 768 && !columns) continue
      await goWithin(page, path)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      await until(`${path} to load`, async () => (await page.getByText(/^Loading /).count()) === 0)
      t.same(await axeViolations(page), [], path)
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, path)
    }
    t.same(errors, [])
    await leave()
  })

t.test('shows the admin home in a browser with a language that Intl refuses', async (t) => {
  const { page, context } = await openDealer(browser, url, 'admin')
  await page.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'en-US@posix' }))
  await page.goto('/admin')
  await page
    .getByRole('img', { name: /default/ })
    .first()
    .waitFor()
  t.ok(await page.getByRole('heading', { level: 1, name: 'Admin', exact: true }).isVisible())
  await context.close()
})
