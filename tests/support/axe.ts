import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

let source: Promise<string> | undefined

export async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  // The page applies the new theme a frame or two later.
  await page.locator(`html[data-theme="${theme}"]`).waitFor()
}

export async function violationsInBothThemes(page: Page, parts?: string): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme)
    // The themes differ only in colors, so run the other rules only once.
    const rules = theme === 'dark' ? ['color-contrast'] : undefined
    found.push(...(await axeViolations(page, parts, rules)).map((violation) => `${theme}: ${violation}`))
  }
  return found
}

/** Waits for animations to end, because axe measures a wrong contrast during a fade. */
const atRest = (page: Page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  )

/** Returns clickable elements smaller than 44 by 44 px on phones. Inline links are exempt. An `::after` that enlarges the target counts. */
function smallTargets(): string[] {
  const leastPx = 43.5
  // Excludes the skip link, which is off-screen until it has focus.
  const pressable =
    'a[href]:not([href="#main"]), button, input, select, textarea, summary, [role=button], [role=menuitem], [role=tab]'
  if (window.innerWidth >= 768) return []
  return [...document.querySelectorAll<HTMLElement>(pressable)].flatMap((element) => {
    const style = getComputedStyle(element)
    const isOff = element.matches(':disabled, [inert] *, [aria-hidden=true] *') || element.tabIndex < 0
    const { width, height } = element.getBoundingClientRect()
    // Screen-reader-only text is one pixel wide.
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

/** Returns elements with an animation or a transition although the user prefers reduced motion. */
function movements(): string[] {
  if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) return []
  const moving = document.getAnimations().map(({ effect }) => (effect as KeyframeEffect).target)
  const movable = [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, transitionProperty } = getComputedStyle(element)
    return animationName !== 'none' || transitionProperty !== 'none'
  })
  return [...new Set([...moving, ...movable])].map((element) => `moves: ${element?.outerHTML.slice(0, 120)}`)
}

/** Returns axe violations, small touch targets and unwanted motion. The browser context must bypass the content security policy. */
export async function axeViolations(page: Page, parts?: string, rules?: string[]): Promise<string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await source)
  await atRest(page)
  const where = parts === undefined ? 'document' : JSON.stringify({ include: [[parts]] })
  // Reporting the passed rules would take longer than finding the violations.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const run = `axe.run(${where}, ${options}).then(({ violations }) => violations)`
  const violations = (await page.evaluate(run)) as AxeResults['violations']
  // axe blocks the main thread. Let pending work finish, such as a layer registering its Escape handler.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })))
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
    ...(await page.evaluate(smallTargets)),
    ...(await page.evaluate(movements)),
  ]
}
