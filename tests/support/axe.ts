import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

let source: Promise<string> | undefined

/** What axe finds wrong in the light and in the dark theme, without the transition between them. */
export async function violationsInBothThemes(page: Page, parts?: string): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(...(await axeViolations(page, parts)).map((violation) => `${colorScheme}: ${violation}`))
  }
  return found
}

/** What still fades in has another contrast than it will have. */
const atRest = (page: Page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  )

/**
 * What axe finds wrong on the page, or in the parts that a selector names, a line per rule. The context has to bypass the
 * content security policy.
 */
export async function axeViolations(page: Page, parts?: string): Promise<string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(await source)
  await atRest(page)
  const where = parts === undefined ? 'document' : JSON.stringify({ include: [[parts]] })
  // Only what is wrong is described and leaves the page: describing what is right took longer than finding it.
  const run = `axe.run(${where}, { resultTypes: ['violations'] }).then(({ violations }) => violations)`
  const violations = (await page.evaluate(run)) as AxeResults['violations']
  // It keeps a page from everything else: what waited is done before anybody goes on, as a layer's hold on Escape.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })))
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
