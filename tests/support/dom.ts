import { JSDOM } from 'jsdom'
import { BroadcastChannel } from 'node:worker_threads'
import { afterLastFile } from './last-file.ts'

/**
 * A browser's globals, for tests of components: import this before anything of React. Node's own fetch, streams and
 * abort signals stay: jsdom has no fetch, and its signals do not fit Node's.
 */
const dom = new JSDOM('<!doctype html><html lang="en"><body></body></html>', {
  url: 'http://localhost/',
  pretendToBeVisual: true,
})
const browser = dom.window

/** Everything is on screen: there is no layout to say otherwise. */
class EverythingVisible {
  readonly #tell: IntersectionObserverCallback
  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell
  }
  observe(target: Element): void {
    const entry = {
      isIntersecting: true,
      intersectionRatio: 1,
      target,
      boundingClientRect: target.getBoundingClientRect(),
    }
    this.#tell([entry as unknown as IntersectionObserverEntry], this as unknown as IntersectionObserver)
  }
  unobserve(): void {}
  disconnect(): void {}
}

class NothingResizes {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(browser, {
  IntersectionObserver: EverythingVisible,
  ResizeObserver: NothingResizes,
  matchMedia: () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }),
  scrollTo: () => undefined,
  scrollBy: () => undefined,
})
// Which jsdom lacks: as a browser does, to whoever listens for errors.
Object.assign(browser, {
  reportError: (error: unknown) =>
    browser.dispatchEvent(new browser.ErrorEvent('error', { error, message: String(error), cancelable: true })),
})
Object.assign(browser.Element.prototype, {
  scrollIntoView: () => undefined,
  hasPointerCapture: () => false,
  setPointerCapture: () => undefined,
  releasePointerCapture: () => undefined,
})

const computed = browser.getComputedStyle.bind(browser)
const ownLook = '[style], [hidden], dialog, input[type="hidden"]'
const plain = new Map<string, CSSStyleDeclaration>()
/**
 * There are no sheets besides the browser's own: what says nothing of its style looks as every element of its name. Asking
 * jsdom each time took a good part of every test.
 */
browser.getComputedStyle = (element) => {
  if (element.matches(ownLook)) return computed(element)
  const known = plain.get(element.localName)
  if (known) return known
  const style = computed(browser.document.createElement(element.localName))
  plain.set(element.localName, style)
  return style
}

const labelable = 'button, input:not([type="hidden"]), meter, output, progress, select, textarea'
/** Whom jsdom finds by walking the whole document for every label in it, for each control that a query names: half of a form's test. */
function labelsOf(control: HTMLElement): HTMLLabelElement[] | null {
  if (!control.matches(labelable)) return null
  return [...browser.document.querySelectorAll('label')].filter((label) => {
    const named = label.getAttribute('for')
    return named === null ? label.querySelector(labelable) === control : named === control.id
  })
}
for (const { prototype } of [
  browser.HTMLButtonElement,
  browser.HTMLInputElement,
  browser.HTMLMeterElement,
  browser.HTMLOutputElement,
  browser.HTMLProgressElement,
  browser.HTMLSelectElement,
  browser.HTMLTextAreaElement,
])
  Object.defineProperty(prototype, 'labels', {
    get(this: HTMLElement) {
      return labelsOf(this)
    },
  })

for (const name of Object.getOwnPropertyNames(browser)) {
  if (name in globalThis) continue
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get: () => Reflect.get(browser, name) as unknown,
    set: (value: unknown) => {
      Reflect.set(browser, name, value)
    },
  })
}
for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
  Object.defineProperty(globalThis, name, { configurable: true, value: browser[name].bind(browser) })
// Both have one; the document's events must be the document's.
for (const name of ['Event', 'CustomEvent', 'navigator'] as const)
  Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: browser[name] })
// No profiler looks on: what React measures and traces for one took a good part of every test.
Object.assign(console, { timeStamp: undefined, createTask: undefined })
// A layer that the last test left open gives the focus back a turn later.
afterLastFile(async () => {
  await new Promise((given) => setTimeout(given, 0))
  browser.close()
})

/** One that nobody closes must not keep the process alive: a tab's is never closed. */
class TabChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    this.unref()
  }
}
Object.assign(globalThis, { BroadcastChannel: TabChannel })

const longMs = 60_000
const start = globalThis.setTimeout
// A timer longer than any test, such as a toast's removal, must not keep the process alive.
Object.defineProperty(globalThis, 'setTimeout', {
  configurable: true,
  writable: true,
  value: (run: () => void, ms?: number, ...args: unknown[]) => {
    const timer = start(run, ms, ...(args as []))
    return ms !== undefined && ms >= longMs ? timer.unref() : timer
  },
})
