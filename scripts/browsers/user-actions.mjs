/// <reference lib="dom" />
/** User actions in an automated browser: finding elements by role and name, clicking, typing, reading. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'

/** @typedef {import('./drivers.mjs').Driver} Driver */
/** @typedef {string | RegExp} Name of an element. A string must match the whole name. */
/** @typedef {ReturnType<typeof createUser>} User */

const waitMs = 30_000
const pollMs = 50
const [shift, enter, backspace] = ['\uE008', '\uE007', '\uE003']
const library = '@testing-library/dom/dist/@testing-library/dom.umd.min.js'

/** @param {unknown} value */
const literal = (value) => (value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'undefined'))

/** @param {Function} work must be self-contained, because its source is sent to the page @param {unknown[]} data */
const callOf = (work, ...data) => `(${String(work)})(${data.map(literal).join(', ')})`

/** Runs in the page, once per page load. Removes APIs that Safari 16.4 or Firefox 128 lacks, and starts to record errors. */
function prepare() {
  if (Reflect.has(window, 'errors')) return
  for (const [owner, ...names] of /** @type {[object, ...string[]][]} */ ([
    [URL, 'canParse', 'parse'],
    [Element.prototype, 'checkVisibility'],
    [AbortSignal, 'any'],
    [Promise, 'withResolvers', 'try'],
    [Object, 'groupBy'],
    [window, 'requestIdleCallback'],
  ]))
    for (const name of names) Reflect.deleteProperty(owner, name)
  /** @type {string[]} */
  const errors = []
  Reflect.set(window, 'errors', errors)
  addEventListener('error', ({ message }) => void errors.push(message))
  addEventListener('unhandledrejection', ({ reason }) => void errors.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) => {
    errors.push(`${violatedDirective} forbids ${blockedURI}`)
  })
}

/**
 * Runs in the page. Returns the first (or `last`) matching element that is visible and enabled.
 * @param {'Role' | 'LabelText' | 'Text'} by @param {Name} what @param {Name} [name] @returns {HTMLElement | undefined}
 */
function findInPage(by, what, name, last = false) {
  /** @type {Record<string, (within: Element, what: Name, options: object) => HTMLElement[]>} */
  const queries = Reflect.get(window, 'TestingLibraryDom')
  const found = queries[`queryAllBy${by}`]?.(document.body, what, name === undefined ? {} : { name }) ?? []
  const usable = found.filter(
    (one) =>
      one.getClientRects().length > 0 && !one.closest('[aria-hidden="true"], [inert]') && !one.matches(':disabled'),
  )
  return usable.at(last ? -1 : 0)
}

/** In the page: returns where to click, or null if the element is missing, moves or is covered. @param {HTMLElement | undefined} element */
async function pointOf(element) {
  if (!element) return null
  const middle = () => {
    const [box = element.getBoundingClientRect()] = element.getClientRects()
    return { x: Math.round(box.left + box.width / 2), y: Math.round(box.top + box.height / 2) }
  }
  const before = middle()
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const { x, y } = middle()
  if (x !== before.x || y !== before.y) return null
  const hit = document.elementFromPoint(x, y)
  if (hit && (element.contains(hit) || hit.closest('label')?.control === element)) return { x, y }
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  return null
}

/** @param {string} what @param {() => Promise<unknown>} ask repeated while its result is false or nullish @returns {Promise<any>} */
async function poll(what, ask) {
  let failed = ''
  for (const end = Date.now() + waitMs; Date.now() < end; await pause(pollMs))
    try {
      const answer = await ask()
      failed = ''
      if (answer !== false && answer !== null && answer !== undefined) return answer
    } catch (error) {
      // Evaluating code fails while the page navigates, so try again.
      failed = `; ${String(error)}`
    }
  throw new Error(`waited ${waitMs / 1_000} s for ${what}${failed}`)
}

/** @param {Driver} driver @param {string} url */
export function createUser(driver, url) {
  const source = readFileSync(fileURLToPath(import.meta.resolve(library)), 'utf8')
  /** Evaluates an expression in the page. Prepares the page first if necessary. @param {string} expression */
  const ask = async (expression) => {
    if (!(await driver.evaluate(`'TestingLibraryDom' in window`)))
      await driver.evaluate(`(() => { ${source}\n;${callOf(prepare)} })()`)
    return driver.evaluate(expression)
  }
  /** @param {string[]} keys pressed together */
  const press = (...keys) =>
    driver.act([
      {
        type: 'key',
        id: 'keyboard',
        actions: [
          ...keys.map((value) => ({ type: 'keyDown', value })),
          ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
        ],
      },
    ])
  /** @param {string} what description for errors @param {string} found expression that returns the element */
  const click = async (what, found) => {
    const { x, y } = await poll(what, () => ask(`(${String(pointOf)})(${found})`))
    await driver.act([
      {
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])
  }
  return {
    /** @param {string} path */
    open: (path) => driver.open(url + path),
    /** Clicks the first (or `last`) match once it is clickable. @param {string} role @param {Name} name */
    press: (role, name, { last = false } = {}) =>
      click(`the ${role} ${name}`, callOf(findInPage, 'Role', role, name, last)),
    /** Replaces the content of a field. Types a newline as Shift+Enter. @param {Name} label @param {string} text */
    fill: async (label, text) => {
      const found = callOf(findInPage, 'LabelText', label)
      await click(`the field ${label}`, found)
      await ask(`${found}.select()`)
      await press(backspace)
      for (const letter of text) await (letter === '\n' ? press(shift, enter) : press(letter))
    },
    /** @param {Name} text the full text of one element */
    see: (text) => poll(`the words ${text}`, () => ask(`${callOf(findInPage, 'Text', text)} !== undefined`)),
    /** @param {string} role @param {Name} name */
    seeElement: (role, name) =>
      poll(`the ${role} ${name}`, () => ask(`${callOf(findInPage, 'Role', role, name)} !== undefined`)),
    /** @template {unknown[]} Data, Answer @param {(...data: Data) => Answer} work @param {Data} data @returns {Promise<Awaited<Answer>>} */
    read: async (work, ...data) => /** @type {any} */ (await ask(callOf(work, ...data))),
    /** @template {unknown[]} Data @param {string} what @param {(...data: Data) => boolean | Promise<boolean>} work @param {Data} data */
    until: (what, work, ...data) => poll(what, () => ask(callOf(work, ...data))),
    errors: async () => /** @type {string[]} */ (await ask('errors.splice(0)')),
    picture: driver.picture,
  }
}
