import t from 'tap'
import { axeViolations } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t)
const browser = await openBrowser(t)

const headline = 'The wholesale lane, open on your desk all day.'

const dealer = await (await browser.newContext({ baseURL: url, bypassCSP: true })).newPage()
const answer = await dealer.request.post('/api/auth/create-dummy', { data: {} })
if (!answer.ok()) throw new Error(`no demo account: ${answer.status()}`)

const documentAt = (path: string) => dealer.request.get(path, { headers: { accept: 'text/html' } })

t.test('serves a dealer the app at the same address, with nothing of the landing page', async (t) => {
  const response = await documentAt('/')
  t.notMatch(await response.text(), headline)
  t.equal(response.headers()['vary'], 'Cookie, Accept-Encoding')
})

t.test('shows a dealer 404 at a public address, with a link to the public page', async () => {
  const page = dealer
  await page.goto('/blog')
  await page.getByText('404 Page Not Found').first().waitFor()
  await page.getByRole('link', { name: 'Open the public page' }).click()
  await page.getByRole('heading', { name: 'Blog', exact: true }).waitFor()
  await page
    .getByRole('link', { name: /Read More/ })
    .first()
    .click()
  await page.waitForURL(/\/blog\/.+\?public/)
})

t.test('shows help, contact, privacy and status inside the app, and keeps their links there', async (t) => {
  const page = dealer
  const app = await (await documentAt('/')).text()
  const headings = { help: 'Help center', contact: 'Contact us', privacy: 'Privacy', status: 'Status' }
  await page.goto('/help')
  for (const [path, name] of Object.entries(headings)) {
    t.equal(await (await documentAt(`/${path}`)).text(), app, `the app is served at /${path}`)
    await goWithin(page, `/${path}`)
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByRole('button', { name: /^Account: / }).waitFor()
    t.same(await axeViolations(page), [], path)
  }
  await goWithin(page, '/help')
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await page.getByRole('searchbox', { name: 'Search help articles' }).fill('photos')
  await page.getByRole('link', { name: /^Add photos/ }).click()
  await page.getByRole('heading', { name: 'Add photos and fix uploads that fail' }).waitFor()
  t.equal(new URL(page.url()).pathname, '/help/add-photos')
  await page.getByRole('link', { name: 'All help articles' }).click()
  await page.getByRole('link', { name: 'Contact support' }).click()
  await page.getByLabel('Message', { exact: true }).fill('Where do I find my invoices?')
  await page.getByLabel('Name', { exact: true }).fill('Dana Torres')
  await page.getByLabel('Email', { exact: true }).fill('dana@torresauto.example')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await page.getByText('Message Sent', { exact: true }).waitFor()
  t.equal(await page.getByText('Message Sent', { exact: true }).count(), 1, 'one toast')
  t.ok(await page.evaluate(() => 'sameDocument' in window), 'the app was not left')
})
