import type { Page } from 'playwright-core'
import t from 'tap'
import type { Post } from '#shared/schemas/posts.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { outboxLoaded, photo, vin } from '#tests/support/post-dialog.ts'
import { startProduct } from '#tests/support/product.ts'
import { rememberToasts, toastSaid } from '#tests/support/toasts.ts'
import { aBarcode } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)
const phone = { width: 390, height: 844, hasTouch: true, underPolicy: true }

/** Taps and typed characters needed to enter the same five vehicles without the camera. */
const [tapsBefore, lettersBefore] = [23, 135]
const fiveVehicles = [
  { vin, name: '2022 Ford F-150' },
  { vin: '2HKRW2H20NH207506', name: '2022 Honda CR-V' },
  { vin: '4T1BE46K19U856421', name: '2009 Toyota Camry' },
  { vin: '1HGCV1F30JA012345', name: '2018 Honda Accord' },
  { vin: '1FMCU9G61MUA12345', name: '2021 Ford Escape' },
]

function pretendCamera(): void {
  localStorage.setItem('lanewire.scans', JSON.stringify({ version: 1, value: true }))
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 1280, height: 720 })
  const context = canvas.getContext('2d')
  const picture = new Image()
  window.addEventListener('held-up', (event) => {
    picture.src = (event as CustomEvent<string>).detail
  })
  setInterval(() => {
    if (!context) return
    context.fillStyle = '#999'
    context.fillRect(0, 0, canvas.width, canvas.height)
    if (picture.complete && picture.width > 0)
      context.drawImage(picture, (canvas.width - picture.width) / 2, (canvas.height - picture.height) / 2)
  }, 50)
  navigator.mediaDevices.getUserMedia = async () => {
    picture.src = ''
    return canvas.captureStream(20)
  }
}

t.test('closes the topmost full-screen layer at Back on a phone, and leaves the page last', async (t) => {
  const { page, leave, errors } = await openDealer(browser, url, 'dana', phone)
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
  await leave()
})

/** Returns the name of the focused control if the bottom bar or the bottom navigation covers a part of it. */
const coveredFocus = (page: Page) =>
  page.evaluate(() => {
    const [focused, bar] = [document.activeElement, document.querySelector('[data-bottom-bar]')]
    if (!focused || !bar || bar.contains(focused)) return undefined
    const { bottom } = focused.getBoundingClientRect()
    return bottom > bar.getBoundingClientRect().top ? focused.outerHTML : undefined
  })

t.test(
  'keeps Save above the bottom navigation while a setting is unsaved, without covering focused fields',
  async (t) => {
    const { page, leave, errors } = await openDealer(browser, url, 'dana', phone)
    await page.goto('/settings')
    const setting = page.getByRole('switch', { name: 'Email notifications' })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const nav = page.getByRole('navigation', { name: 'Sections' })
    const isStuck = async () => {
      const [bar, sections] = [await save.boundingBox(), await nav.boundingBox()]
      if (!bar || !sections) return false
      const gap = sections.y - bar.y - bar.height
      return gap >= 0 && gap < bar.height
    }
    t.equal(await isStuck(), false)
    await setting.tap()
    t.equal(await isStuck(), true)
    for (const [width, height] of [
      [390, 844],
      [195, 422],
    ] as const) {
      await page.setViewportSize({ width, height })
      await setting.focus()
      t.equal(await isStuck(), true, `${width} px wide`)
      t.equal(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        0,
        'nothing overflows',
      )
      const lastField = page.getByRole('combobox', { name: 'Items per page' })
      const isLast = () => lastField.evaluate((field) => field === document.activeElement)
      while (!(await isLast())) {
        await page.keyboard.press('Tab')
        t.equal(await coveredFocus(page), undefined)
      }
    }
    await page.setViewportSize({ width: 390, height: 300 })
    await setting.focus()
    t.equal(await isStuck(), false, 'a low window has no room for the bar')
    await page.setViewportSize(phone)
    await setting.tap()
    t.equal(await isStuck(), false, 'nothing is unsaved')
    t.same(errors, [])
    await leave()
  },
)

t.test('scans five vehicles on a phone without a connection, with half the taps', async (t) => {
  const { page, context } = await openDealer(browser, url, 'dana', phone)
  await rememberToasts(page)
  await page.addInitScript(pretendCamera)
  // The content security policy allows only the scanning worker to compile WebAssembly.
  const policy = (await page.goto('/'))?.headers()['content-security-policy']
  t.notMatch(policy, 'wasm')
  await outboxLoaded(page)
  let [taps, letters] = [0, 0]
  const tap = async (name: string) => {
    taps += 1
    await page.getByRole('button', { name, exact: true }).last().tap()
  }
  const type = async (text: string) => {
    letters += text.length
    await page.keyboard.type(text)
  }
  await tap('Post Inventory')
  for (const [index, { vin, name }] of fiveVehicles.entries()) {
    const barcode = await aBarcode(vin)
    if (index > 0) await tap('Scan next VIN')
    await page.getByRole('region', { name: 'Scan VIN' }).waitFor()
    // The camera misses pictures that are shown before it is open.
    await page.getByText('Opening the camera').waitFor({ state: 'detached' })
    await page.evaluate((picture) => window.dispatchEvent(new CustomEvent('held-up', { detail: picture })), barcode)
    await page.getByRole('dialog').getByText(name, { exact: true }).waitFor()
    await until('the mileage prompt', () =>
      page.evaluate(() => document.activeElement?.closest('div')?.textContent.startsWith('Mileage')),
    )
    await type('48210')
    taps += 1
    await page.getByRole('textbox', { name: 'Price', exact: true }).tap()
    await type('31900')
  }
  t.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), '2022 Ford F-150 and 4 more')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Add photos', exact: true }).setInputFiles(await photo('front.jpg'))
  await page.getByText('1 waiting for a connection').waitFor()
  await tap('Post Inventory')
  await page.getByText('Waiting for a connection: “2022 Ford F-150 and 4 more”').waitFor()
  await context.setOffline(false)
  await toastSaid(page, 'Inventory posted successfully!')
  const found = await context.request.get(`${url}/api/inventory?search=${encodeURIComponent('F-150 and 4 more')}`)
  const posts = ((await found.json()) as Post[]).filter(({ title }) => title === '2022 Ford F-150 and 4 more')
  t.same(
    posts.map(({ vehicleCount, photoUrls }) => [vehicleCount, photoUrls.length]),
    [[5, 1]],
  )
  t.ok(taps <= tapsBefore / 2, `${taps} taps`)
  t.ok(letters <= lettersBefore / 2, `${letters} letters`)
  t.comment(`five vehicles: ${taps} taps and ${letters} letters`)
  await context.close()
})
