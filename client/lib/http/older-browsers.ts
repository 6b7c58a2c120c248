/** Replacements for functions that the oldest browsers in docs/browsers.md do not have. */

/** Replaces `URL.parse` and `URL.canParse`. */
export function parseAddress(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** False if the element or an ancestor is `display: none`. Replaces `checkVisibility`. */
export const isRendered = (element: Element): boolean => element.getClientRects().length > 0

/** Returns a signal that aborts with the first of `signals`. Replaces `AbortSignal.any`. */
export function abortedWith(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason)
    else signal.addEventListener('abort', () => first.abort(signal.reason), { once: true, signal: first.signal })
  }
  return first.signal
}

/** True if the browser does not support this declaration. False if there is no CSS API, as in tests. */
export const lacksStyle = (property: string, value: string): boolean =>
  'CSS' in globalThis && !CSS.supports(property, value)
