import type { Page } from 'playwright-core'
import t from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { axeViolations, violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { aPost, aVehicle } from '#tests/support/factories.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const total = (page: Page) => page.getByRole('region', { name: 'Results' }).getByText(/^[\d,]+ vehicles?$/)
const vehicles = (page: Page) => page.getByRole('list', { name: 'Vehicles' }).getByRole('article')
const sticksOut = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

t.test('filters narrow what is found, Back takes them away again, and another dealer’s post waits', async (t) => {
  const { page, context, leave, errors } = await openDealer(browser, url, 'dana')
  await page.goto('/find')
  await total(page).waitFor()
  const all = await total(page).innerText()
  t.same(await violationsInBothThemes(page), [])
  t.equal(await sticksOut(page), 0)

  const filters = page.getByRole('complementary', { name: 'Filters' })
  await filters.getByRole('checkbox', { name: /^Ford/ }).click()
  await filters.getByRole('checkbox', { name: /^F-150/ }).click()
  await filters.getByLabel('Most price').fill('90k')
  await page.getByRole('button', { name: 'Remove Up to $90,000' }).waitFor()
  t.equal(page.url(), `${url}/find?mmt=Ford~F-150&price=-90000`)
  await page.goBack()
  await page.getByRole('button', { name: 'Remove Up to $90,000' }).waitFor({ state: 'detached' })
  t.equal(await filters.getByLabel('Most price').inputValue(), '')
  await page.goBack()
  await page.goBack()
  await page.getByRole('group', { name: 'Applied filters' }).waitFor({ state: 'detached' })
  await total(page).getByText(all, { exact: true }).waitFor()

  // By keys alone: words, the first vehicle, its post.
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('ford f150 under 300k miles')
  await page.getByRole('option', { name: 'Find: Ford F-150, under 300,000 mi' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/find?mmt=Ford~F-150&miles=-300000')
  await vehicles(page).filter({ hasNotText: 'F-150' }).first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByRole('button', { name: 'Search saved' }).waitFor()
  await page.getByRole('radio', { name: 'Cards' }).click()
  await page.waitForURL('**as=cards')

  const marcus = await openDealer(browser, url, 'marcus')
  const post = aPost({ title: 'F-150 from the lease', vehicles: [{ ...aVehicle, trim: 'Lariat' }] })
  await page.getByText('Live', { exact: true }).waitFor()
  const answer = await marcus.context.request.post('/api/inventory', { data: post, headers: { origin: url } })
  t.ok(answer.ok(), await answer.text())
  const { id } = (await answer.json()) as { id: string }
  // Who keeps the search is told of it, too, wherever they are.
  await until('the alert', async () => {
    const { items } = (await (await context.request.get('/api/notifications')).json()) as NotificationsPage
    return items.some(({ kind, path }) => kind === 'match' && path?.startsWith(`/post/${id}?vehicle=`))
  })
  await page.getByRole('button', { name: '1 new vehicle' }).click()
  const added = page.locator(`[data-find-vehicle="${id}"]`)
  await added.waitFor()
  await page.getByRole('button', { name: '1 new vehicle' }).waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  t.equal(
    await page.evaluate(() => (document.activeElement as HTMLElement).dataset['findVehicle']),
    id,
    'the newest first',
  )
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'F-150 from the lease' }).waitFor()
  await page.goBack()
  await added.waitFor()
  t.same(errors, [], 'no console error')
  await Promise.all([leave(), marcus.leave()])
})

t.test('on a phone the filters fill the screen, and nothing sticks out down to 320 px', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana', { width: 390, theme: 'dark' })
  await page.goto('/find')
  await total(page).waitFor()
  t.same(await axeViolations(page), [])
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('checkbox', { name: /^Ford/ }).click()
  await sheet.getByRole('checkbox', { name: /^F-150/ }).waitFor()
  t.same(await axeViolations(page), [], 'the filters')
  await sheet.getByRole('button', { name: /^Show [\d,]+ vehicles?$/ }).click()
  await page.getByRole('button', { name: 'Filters 1' }).waitFor()
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    t.equal(await sticksOut(page), 0, `${width} px`)
  }
  await leave()
})

t.test('on a phone Back closes what fills the screen, the topmost first, and only then leaves the page', async (t) => {
  const { page, leave, errors } = await openDealer(browser, url, 'dana', { width: 390 })
  t.teardown(() => leave())
  await page.goto('/deals')
  const back = () => page.evaluate(() => history.back())
  const pathname = () => new URL(page.url()).pathname
  const dialogs = page.getByRole('dialog')
  await goWithin(page, '/find')
  await page.getByRole('button', { name: /^Filters/ }).click()
  await dialogs.getByText('Make, model, trim').waitFor()
  await back()
  await dialogs.waitFor({ state: 'detached' })
  t.equal(pathname(), '/find')
  await page.getByRole('button', { name: 'Post Inventory', exact: true }).click()
  await dialogs.getByLabel('Title').fill('Half written')
  await back()
  await page.getByRole('alertdialog', { name: 'Close without posting?' }).waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  await dialogs.waitFor({ state: 'detached' })
  t.equal(pathname(), '/find')
  await back()
  await page.waitForURL('**/deals')
  t.same(errors, [])
})
