/** Replacements for functions that the oldest browsers in docs/browsers.md do not support. */

/** Replaces `URL.parse` and `URL.canParse`. */
export function parseAddress(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** True unless the element or an ancestor is `display: none`. Replaces `checkVisibility`. */
export const isRendered = (element: Element): boolean => element.getClientRects().length > 0

/** Replaces `AbortSignal.any`. */
export function abortedWith(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason)
    else signal.addEventListener('abort', () => first.abort(signal.reason), { once: true, signal: first.signal })
  }
  return first.signal
}

/** True if the browser does not support this declaration. False in an environment without the CSS API. */
export const lacksStyle = (property: string, value: string): boolean =>
  'CSS' in globalThis && !CSS.supports(property, value)
