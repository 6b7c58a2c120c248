/** What the oldest browsers of docs/browsers.md lack, in words that all of them know. */

/** An absolute address, or undefined where it is none (`URL.parse` and `URL.canParse` are younger). */
export function parseAddress(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Whether it has a box on the page: neither it nor what it is in is `display: none` (`checkVisibility` is younger). */
export const isRendered = (element: Element): boolean => element.getClientRects().length > 0

/** Aborted as soon as one of them is (`AbortSignal.any` is younger). */
export function abortedWith(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason)
    else signal.addEventListener('abort', () => first.abort(signal.reason), { once: true, signal: first.signal })
  }
  return first.signal
}

/** Whether this browser's style sheets know nothing of that; false where there are none at all. */
export const lacksStyle = (property: string, value: string): boolean =>
  'CSS' in globalThis && !CSS.supports(property, value)
