import './jitter.ts'
import { JSDOM } from 'jsdom'
import { BroadcastChannel } from 'node:worker_threads'
import { afterLastFile } from './last-file.ts'

/** Import this module before React. Node's fetch, streams and abort signals stay, because jsdom has none or incompatible ones. */
const dom = new JSDOM('<!doctype html><html lang="en"><body></body></html>', {
  url: 'http://localhost/',
  pretendToBeVisual: true,
})
const browser = dom.window

/** Reports every element as visible, because jsdom has no layout. */
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
// jsdom lacks these functions.
Object.assign(browser, {
  reportError: (error: unknown) =>
    browser.dispatchEvent(new browser.ErrorEvent('error', { error, message: String(error), cancelable: true })),
})
Object.assign(browser.Blob.prototype, {
  arrayBuffer(this: Blob) {
    return new Promise<ArrayBuffer>((resolve) => {
      const reader = new browser.FileReader()
      reader.addEventListener('load', () => resolve(reader.result as ArrayBuffer))
      reader.readAsArrayBuffer(this)
    })
  },
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
/** Caches styles by element name, because jsdom computes them slowly. Tests load no style sheets. Skips elements with their own style. */
browser.getComputedStyle = (element) => {
  if (element.matches(ownLook)) return computed(element)
  const known = plain.get(element.localName)
  if (known) return known
  const style = computed(browser.document.createElement(element.localName))
  plain.set(element.localName, style)
  return style
}

const labelable = 'button, input:not([type="hidden"]), meter, output, progress, select, textarea'
/** Replaces jsdom's `labels`, which is slow: it took half the time of a form's test. */
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
// Node and jsdom both define these. jsdom's document works only with its own.
for (const name of ['Event', 'CustomEvent', 'navigator'] as const)
  Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: browser[name] })
// React's profiling hooks slow tests down.
Object.assign(console, { timeStamp: undefined, createTask: undefined })
// A layer left open by the last test restores the focus in the next task, so wait for that task before closing the window.
afterLastFile(async () => {
  await new Promise((given) => setTimeout(given, 0))
  browser.close()
})

/** A BroadcastChannel that does not keep the process alive, because tabs never close their channel. */
class TabChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    this.unref()
  }
}
Object.assign(globalThis, { BroadcastChannel: TabChannel })

const longMs = 60_000
const start = globalThis.setTimeout
// Long timers, such as a toast's removal, must not keep the process alive.
Object.defineProperty(globalThis, 'setTimeout', {
  configurable: true,
  writable: true,
  value: (run: () => void, ms?: number, ...args: unknown[]) => {
    const timer = start(run, ms, ...(args as []))
    return ms !== undefined && ms >= longMs ? timer.unref() : timer
  },
})
