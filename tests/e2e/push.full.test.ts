import type { BrowserContext, Page } from 'playwright-core'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { PushState } from '#shared/schemas/push.ts'
import { publishAuction } from '#tests/support/auction-page.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/dealer-page.ts'
import { vin } from '#tests/support/post-dialog.ts'
import { startProduct } from '#tests/support/product.ts'
import { deliverPush, notificationsOf, pressNotification, subscribeTo, workerOf } from '#tests/support/push-page.ts'
import { startPushService } from '#tests/support/push-service.ts'
import { until } from '#tests/support/wait.ts'

const service = await startPushService(t)
const url = await startProduct(t, { RATE_LIMITS: 'off', FETCH_PRIVATE_HOSTS: service.host })
const browser = await openBrowser(t)
const onAPhone = { width: 390, height: 844, hasTouch: true, withWorker: true }

async function bid(context: BrowserContext, postId: string, amount: number): Promise<void> {
  const headers = { origin: url, 'idempotency-key': randomUUID() }
  const answer = await context.request.post(`/api/inventory/${postId}/bids`, { headers, data: { amount } })
  if (!answer.ok()) throw new Error(`the bid was refused: ${answer.status()} ${await answer.text()}`)
}

const devicesOf = async (context: BrowserContext) =>
  ((await (await context.request.get('/api/push')).json()) as PushState).devices

t.test('reaches a dealer whose tab is closed: an outbid is shown, and a press opens the auction', async (t) => {
  const post = await publishAuction(browser, url, 'Ranger')
  const [dana, elena] = [await signIn(browser, url, 'dana', onAPhone), await signIn(browser, url, 'elena')]
  const phone = service.subscribe()
  await subscribeTo(dana, phone)
  const page = await dana.newPage()
  await page.goto('/settings')
  const worker = await workerOf(page)
  const card = page.getByRole('region', { name: 'This device' })
  await card.getByRole('button', { name: 'Turn on' }).click()
  await card.getByText('On', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Send test' }).click()
  await card.getByText('Sent. It should appear within seconds.').waitFor()
  await until('the test push', () => phone.received.length === 1)
  t.match(await devicesOf(dana), [{ isCurrent: true, failing: null, lastOkAt: /^2/ }])

  await bid(dana, post.id, 10_000)
  await page.close()
  await bid(elena, post.id, 12_000)
  const tag = `auction:${post.id}`
  const outbid = () => phone.received.find(({ payload }) => payload.notification.tag === tag)
  await until('the push about the outbid', () => outbid() !== undefined)
  // The push links to the product's public address. Replace that address with the test server's address.
  const { payload } = outbid()!
  const away = new URL(payload.notification.navigate).origin
  const elsewhere = await dana.newPage()
  await deliverPush(elsewhere, url, JSON.stringify(payload).replace(away, url))
  await until('the notification', async () => (await notificationsOf(worker)).some((one) => one.tag === tag))
  const shown = (await notificationsOf(worker)).find((one) => one.tag === tag)
  t.match(shown, { title: /outbid/i, path: new RegExp(`^/post/${post.id}`) })

  const path = await pressNotification(worker, shown?.path ?? '')
  t.equal(path, shown?.path)
  await elsewhere.goto(path)
  await elsewhere.getByRole('heading', { level: 1, name: /Ranger/ }).waitFor()
  t.same(service.faults, [])

  await elsewhere.goto('/settings')
  const again = elsewhere.getByRole('region', { name: 'This device' })
  await again.getByRole('button', { name: 'Turn off' }).click()
  await again.getByRole('button', { name: 'Turn on' }).waitFor()
  t.same(await devicesOf(dana), [])
  await Promise.all([dana.close(), elena.close()])
})

const share = (page: Page, text: string) =>
  page.evaluate(
    ([words, action]) => {
      const form = document.createElement('form')
      Object.assign(form, { action, method: 'POST', enctype: 'multipart/form-data' })
      const [field, files] = [document.createElement('textarea'), document.createElement('input')]
      Object.assign(field, { name: 'text', value: words })
      const photos = new DataTransfer()
      photos.items.add(new File([new Uint8Array(11 * 1024 * 1024)], 'large.jpg', { type: 'image/jpeg' }))
      Object.assign(files, { name: 'photos', type: 'file', multiple: true, files: photos.files })
      form.append(field, files)
      document.body.append(form)
      form.submit()
    },
    [text, `${url}/share`] as const,
  )

const keptShares = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('lanewire-shared-1')).keys()).length)

t.test('turns a share into a draft after a question and sign-in', async (t) => {
  const context = await signIn(browser, url, 'elena', onAPhone)
  const page = await context.newPage()
  await page.goto('/')
  await workerOf(page)
  const cookies = await context.cookies()
  await context.clearCookies()
  // Submit the form without an origin, as a phone's share menu does.
  await page.goto('data:text/html,<p>Elsewhere')
  await share(page, `Clean truck\n${vin} 61k mi $18,500`)
  await page.getByRole('heading', { name: 'Start a post with this?' }).waitFor()
  t.equal(await keptShares(page), 0, 'nothing is stored before the answer')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/login')
  await context.addCookies(cookies)
  await page.reload()
  const dialog = page.getByRole('dialog', { name: 'Post Inventory' })
  await dialog.getByText('1 photo was too large.').waitFor()
  await dialog
    .getByText(/2022 Ford/)
    .first()
    .waitFor()
  t.same(
    await Promise.all(
      ['Title', 'VIN', 'Mileage', 'Price'].map((label) => dialog.getByLabel(label).first().inputValue()),
    ),
    ['Clean truck', vin, '61000', '18500'],
  )
  t.equal(new URL(page.url()).search, '', 'a reload does not repeat the share')

  await page.goto(`http://${service.host}/`)
  await share(page, 'Buy this')
  await page.getByText('Open Lanewire once on this phone, then share again.').first().waitFor()
  t.equal(await keptShares(page), 0, 'a form of another site is refused')
  await context.close()
})
