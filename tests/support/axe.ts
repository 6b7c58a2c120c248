import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

let source: Promise<string> | undefined

/** Shows a page that follows the system in this theme, without the transition to it. */
export async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  // It hears of that a frame or two later.
  await page.locator(`html[data-theme="${theme}"]`).waitFor()
}

/** What axe finds wrong in the light and in the dark theme. */
export async function violationsInBothThemes(page: Page, parts?: string): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme)
    // The themes differ in their colours alone.
    const rules = theme === 'dark' ? ['color-contrast'] : undefined
    found.push(...(await axeViolations(page, parts, rules)).map((violation) => `${theme}: ${violation}`))
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
 * On a phone: what can be pressed and is smaller than a finger, 44 by 44. A link inside a sentence is as high as its line; what
 * reaches further than it is drawn (`::after`) counts as far as it reaches.
 */
function smallTargets(): string[] {
  const leastPx = 43.5
  // The way past the navigation waits for the keyboard, above the page.
  const pressable =
    'a[href]:not([href="#main"]), button, input, select, textarea, summary, [role=button], [role=menuitem], [role=tab]'
  if (window.innerWidth >= 768) return []
  return [...document.querySelectorAll<HTMLElement>(pressable)].flatMap((element) => {
    const style = getComputedStyle(element)
    const isOff = element.matches(':disabled, [inert] *, [aria-hidden=true] *') || element.tabIndex < 0
    const { width, height } = element.getBoundingClientRect()
    // What only a screen reader shows is a pixel wide.
    if (isOff || width <= 1 || style.display === 'inline' || !element.checkVisibility({ visibilityProperty: true }))
      return []
    const reach = getComputedStyle(element, '::after')
    const reaches = reach.position === 'absolute' && reach.content !== 'none'
    const wide = Math.max(width, reaches ? Number.parseFloat(reach.width) : 0)
    const high = Math.max(height, reaches ? Number.parseFloat(reach.height) : 0)
    if (wide >= leastPx && high >= leastPx) return []
    return [`44 px: ${Math.round(wide)}x${Math.round(high)} ${element.outerHTML.slice(0, 120)}`]
  })
}

/** Where less motion is asked for: what moves all the same. */
function movements(): string[] {
  if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) return []
  return document.getAnimations().map(({ effect }) => {
    const { target } = effect as KeyframeEffect
    return `moves: ${target?.outerHTML.slice(0, 120)}`
  })
}

/**
 * What axe finds wrong on the page, or in the parts that a selector names, by all its rules or these, a line per rule; what is too small for a
 * finger; and what moves where nothing should. The context has to bypass the content security policy.
 */
export async function axeViolations(page: Page, parts?: string, rules?: string[]): Promise<string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await source)
  await atRest(page)
  const where = parts === undefined ? 'document' : JSON.stringify({ include: [[parts]] })
  // Only what is wrong is described and leaves the page: describing what is right took longer than finding it.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const run = `axe.run(${where}, ${options}).then(({ violations }) => violations)`
  const violations = (await page.evaluate(run)) as AxeResults['violations']
  // It keeps a page from everything else: what waited is done before anybody goes on, as a layer's hold on Escape.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })))
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
    ...(await page.evaluate(smallTargets)),
    ...(await page.evaluate(movements)),
  ]
}
