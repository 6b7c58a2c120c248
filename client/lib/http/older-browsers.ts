/** Replacements for functions that the oldest browsers in docs/browsers.md lack. */

/** Parses an absolute URL; undefined if invalid (`URL.parse` and `URL.canParse` are newer). */
export function parseAddress(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** True unless the element or an ancestor is `display: none` (`checkVisibility` is newer). */
export const isRendered = (element: Element): boolean => element.getClientRects().length > 0

/** A signal that aborts when any of these does (`AbortSignal.any` is newer). */
export function abortedWith(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason)
    else signal.addEventListener('abort', () => first.abort(signal.reason), { once: true, signal: first.signal })
  }
  return first.signal
}

/** True if the browser has style sheets but does not support this declaration. */
export const lacksStyle = (property: string, value: string): boolean =>
  'CSS' in globalThis && !CSS.supports(property, value)
