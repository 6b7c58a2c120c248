import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { startProduct } from '#tests/support/product.ts'

// One product and one browser for the file; each test is a visitor of its own.
const url = await startProduct(t)
const browser = await openBrowser(t)

t.test('a contact message is sent, thanked for, and the form is empty again', async (t) => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/careers`)
  await page.getByRole('link', { name: 'Apply: Product Designer' }).click()
  await page.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('About: Product Designer'))
  t.match(await page.locator('form').textContent(), 'Careers.')
  await page.getByLabel('Name').fill('Ada Park')
  await page.getByLabel('Email').fill('ada@design.example')
  await page.getByLabel('Dealership type').selectOption('other')
  await page.getByLabel('Message').fill('I would like to show you my work.')
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/contact'))
  await page.getByRole('button', { name: 'Send Message' }).click()
  t.match((await sent).postDataJSON(), {
    name: 'Ada Park',
    email: 'ada@design.example',
    dealershipType: 'other',
    topic: 'careers',
    message: 'I would like to show you my work.',
  })
  await page.getByText('Message Sent', { exact: true }).first().waitFor()
  await page.getByText("We'll get back to you within 24 hours").first().waitFor()
  t.equal(await page.getByLabel('Name').inputValue(), '')
  await page.getByLabel('Name').fill('Ada Park')
  await page.getByLabel('Email').fill('ada@design.example')
  await page.getByLabel('Message').fill('One more thing.')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await page.getByText('Message not sent', { exact: true }).first().waitFor()
  t.equal(await page.getByLabel('Message').inputValue(), 'One more thing.', 'what was typed stays')
})

t.test('a contact message that is not complete says what is missing beside the field', async (t) => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/contact`, { waitUntil: 'networkidle' })
  await page.getByLabel('Email').fill('nowhere')
  await page.getByRole('button', { name: 'Send Message' }).click()
  for (const text of ['Please enter your name', 'Please enter a valid e-mail address', 'Please enter a message'])
    t.ok(await page.getByText(text).isVisible(), text)
  t.equal(await page.evaluate(() => document.activeElement?.getAttribute('autocomplete')), 'name')
})

t.test('the newsletter asks for a confirmation and says so', async (t) => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/blog`, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('Please enter a valid e-mail address').waitFor()
  await page.getByLabel('Email').fill('ada@design.example')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('Please check your mail and open the link to confirm.').waitFor()
  await page.goto(`${url}/blog?list=newsletter-confirmed`)
  await page.getByText('You are subscribed to the newsletter.').waitFor()
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Blog')
})

t.test('help search filters by title, finds words in the texts, and says when there is nothing', async (t) => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/help`, { waitUntil: 'networkidle' })
  const box = page.getByRole('searchbox', { name: 'Search help articles' })
  await box.fill('VIN DEC')
  await page.getByText('1 title').first().waitFor()
  t.match(await page.locator('main li').first().textContent(), 'What the VIN decoder fills in')
  await box.fill('windshield')
  await page.getByRole('heading', { name: 'In the text' }).waitFor()
  await page.getByRole('link', { name: /What the VIN decoder fills in/ }).click()
  await page.waitForURL(/\/help\/vin-decoding/)
  t.match(await page.locator('main').textContent(), 'windshield')
  await page.goto(`${url}/help`, { waitUntil: 'networkidle' })
  await box.fill('submarine')
  await page.getByText('No articles found').waitFor()
})

t.test('Watch Demo is a captioned tour that works from the keyboard', async (t) => {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  const button = page.getByRole('button', { name: 'Watch Demo' })
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Lanewire in five screens' })
  await dialog.waitFor()
  t.match(await dialog.textContent(), '1 of 5')
  await page.waitForFunction(() => (document.querySelector('dialog img') as HTMLImageElement | null)?.naturalWidth)
  const captions = new Set<string>()
  for (let n = 1; n <= 5; n += 1) {
    await dialog.getByText(`${n} of 5`).waitFor()
    captions.add((await dialog.locator('h3').textContent()) ?? '')
    await page.keyboard.press('ArrowRight')
  }
  t.equal(captions.size, 5)
  await page.keyboard.press('ArrowLeft')
  await dialog.getByText('4 of 5').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.ok(await button.evaluate((element) => element === document.activeElement), 'focus is back on the button')
  await page.setViewportSize({ width: 390, height: 844 })
  await button.click()
  await page.waitForFunction(() => (document.querySelector('dialog img') as HTMLImageElement | null)?.naturalWidth)
  const picture = await dialog.getByRole('img').evaluate((image: HTMLImageElement) => image.currentSrc)
  t.match(picture, '/site/phone-feed-light.webp', 'a phone shows what the product looks like on one')
})

t.test('the status page shows what the probes found', async (t) => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/status`)
  await page.getByText('Operational', { exact: true }).first().waitFor()
  for (const name of ['Dealer Platform', 'Messaging System', 'AI Services', 'Authentication', 'Database'])
    t.ok(await page.getByRole('heading', { name, exact: true }).isVisible(), name)
  t.match(await page.locator('main').textContent(), /\d+\.\d\d% uptime/)
})
