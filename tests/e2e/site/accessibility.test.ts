import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { startProduct } from '#tests/support/product.ts'
import { publicPaths, visit } from '#tests/support/site.ts'

// One product and one browser for the file; each test is a visitor of its own.
const url = await startProduct(t)
const browser = await openBrowser(t)

const axeSource = () => readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function violations(page: Page, source: string): Promise<string[]> {
  await page.evaluate(source)
  const results = (await page.evaluate('axe.run(document)')) as AxeResults
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 80)).join(' | ')}`)
}

for (const theme of ['light', 'dark'] as const)
  for (const width of [1440, 390])
    t.test(`every public page is clean at ${width} px in the ${theme} theme`, async (t) => {
      const { page, errors } = await visit(browser, url, { width, theme })
      const source = await axeSource()
      for (const path of publicPaths) {
        await page.goto(path)
        t.same(await violations(page, source), [], path)
      }
      t.same(errors, [], 'no console error')
      await page.context().close()
    })

t.test('nothing sticks out of a window of 320 px', async (t) => {
  const { page } = await visit(browser, url, { width: 320 })
  for (const path of publicPaths) {
    await page.goto(path)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    t.ok(overflow <= 0, path)
  }
})
