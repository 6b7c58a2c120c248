/// <reference lib="dom" />
/** What a person does in a browser that is driven: looks for things by their role and name, presses, types, reads. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'

/** @typedef {import('./browsers-drivers.mjs').Driver} Driver */
/** @typedef {string | RegExp} Name a text is the whole name */
/** @typedef {ReturnType<typeof handOf>} Hand */

const waitMs = 30_000
const pollMs = 50
const [shift, enter, backspace] = ['\uE008', '\uE007', '\uE003']
const library = '@testing-library/dom/dist/@testing-library/dom.umd.min.js'

/** @param {unknown} value as the page's script says it */
const literal = (value) => (value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'undefined'))

/** @param {Function} work self-contained, for it is sent into the page @param {unknown[]} data */
const callOf = (work, ...data) => `(${String(work)})(${data.map(literal).join(', ')})`

/**
 * In the page: takes away what Safari 16.4 and Firefox 128 do not have, and begins to note what goes wrong. Once for each page.
 */
function prepare() {
  if (Reflect.has(window, 'wrongs')) return
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
  const wrongs = []
  Reflect.set(window, 'wrongs', wrongs)
  addEventListener('error', ({ message }) => void wrongs.push(message))
  addEventListener('unhandledrejection', ({ reason }) => void wrongs.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) => {
    wrongs.push(`${violatedDirective} forbids ${blockedURI}`)
  })
}

/**
 * In the page: what can be seen and used of that kind. Self-contained.
 * @param {'Role' | 'LabelText' | 'Text'} by @param {Name} what @param {Name} [name]
 * @returns {HTMLElement | undefined}
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

/** In the page: where a finger meets it, once it stands still and nothing lies over it. @param {HTMLElement | undefined} element */
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

/**
 * @param {string} what @param {() => Promise<unknown>} ask again until it is neither false nor nothing
 * @returns {Promise<any>}
 */
async function poll(what, ask) {
  let failed = ''
  for (const end = Date.now() + waitMs; Date.now() < end; await pause(pollMs))
    try {
      const answer = await ask()
      failed = ''
      if (answer !== false && answer !== null && answer !== undefined) return answer
    } catch (error) {
      // A page on its way to another cannot be asked.
      failed = `; ${String(error)}`
    }
  throw new Error(`waited ${waitMs / 1_000} s for ${what}${failed}`)
}

/** @param {Driver} driver @param {string} url of the product */
export function handOf(driver, url) {
  const source = readFileSync(fileURLToPath(import.meta.resolve(library)), 'utf8')
  /** Of the page as it is now. @param {string} expression */
  const ask = async (expression) => {
    if (!(await driver.evaluate(`'TestingLibraryDom' in window`)))
      await driver.evaluate(`(() => { ${source}\n;${callOf(prepare)} })()`)
    return driver.evaluate(expression)
  }
  /** @param {string[]} keys held together */
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
  /** @param {string} what in words @param {string} found an expression */
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
    /** Waits for the first of them that can be pressed, or the last. @param {string} role @param {Name} name */
    press: (role, name, { last = false } = {}) =>
      click(`the ${role} ${name}`, callOf(findInPage, 'Role', role, name, last)),
    /** Into a field; what stands in it goes. A new line is one within the text. @param {Name} label @param {string} text */
    fill: async (label, text) => {
      const found = callOf(findInPage, 'LabelText', label)
      await click(`the field ${label}`, found)
      await ask(`${found}.select()`)
      await press(backspace)
      for (const letter of text) await (letter === '\n' ? press(shift, enter) : press(letter))
    },
    /** Waits until it can be seen. @param {Name} text of one element */
    see: (text) => poll(`the words ${text}`, () => ask(`${callOf(findInPage, 'Text', text)} !== undefined`)),
    /** Waits until something of that role and name can be seen. @param {string} role @param {Name} name */
    meet: (role, name) =>
      poll(`the ${role} ${name}`, () => ask(`${callOf(findInPage, 'Role', role, name)} !== undefined`)),
    /**
     * What a function answers in the page. It takes no other words than the page's and its data.
     * @template {unknown[]} Data, Answer @param {(...data: Data) => Answer} work @param {Data} data @returns {Promise<Awaited<Answer>>}
     */
    read: async (work, ...data) => /** @type {any} */ (await ask(callOf(work, ...data))),
    /**
     * Waits until it answers true. @template {unknown[]} Data
     * @param {string} what in words @param {(...data: Data) => boolean | Promise<boolean>} work @param {Data} data
     */
    until: (what, work, ...data) => poll(what, () => ask(callOf(work, ...data))),
    /** What went wrong in the page, and was not said to anybody. */
    wrongs: async () => /** @type {string[]} */ (await ask('wrongs.splice(0)')),
    picture: driver.picture,
  }
}
