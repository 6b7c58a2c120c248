import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'

/** Every public page, with one article of each kind. */
export const publicPaths = [
  '/',
  '/about',
  '/pricing',
  '/contact',
  '/features',
  '/security',
  '/help',
  '/help/bid-in-a-live-auction',
  '/privacy',
  '/blog',
  '/blog/why-the-feed-waits',
  '/careers',
  '/status',
  '/mobile',
  '/api-docs',
] as const
export type PublicPath = (typeof publicPaths)[number]

export interface Visit {
  page: Page
  errors: string[]
}

export async function visit(t: Test, browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    // The content security policy would block axe. Other tests run with the policy.
    bypassCSP: true,
    serviceWorkers: 'block',
  })
  t.teardown(() => context.close())
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  return { page, errors }
}

/** Runs before the page loads. Records whether the largest contentful paint occurred, and the total layout shift. */
export function watchPaint(): void {
  const seen = { largest: false, shift: 0 }
  Object.assign(window, { seen })
  new PerformanceObserver(() => (seen.largest = true)).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}
