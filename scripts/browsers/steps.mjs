/// <reference lib="dom" />
/** The steps of `npm run test:browsers`: common tasks of dealers, and features that are known to differ between browsers. */
import { randomUUID } from 'node:crypto'
import { tsImport } from 'tsx/esm/api'

/** @typedef {import('./user-actions.mjs').User} User */
/**
 * @typedef {object} Visit
 * @property {User} user
 * @property {string} url
 * @property {boolean} phone
 * @property {string} who browser and width, which make the data of each visit unique
 * @property {(name: string) => Promise<void>} picture
 */

const password = 'lanewire-demo-2026'
const vin = '1FTFW1E59NKD69096'
const { aVehicle } = await tsImport('../../tests/support/factories.ts', import.meta.url)

/** Signs in another demo dealer. The returned functions call the API as this dealer. @param {string} url @param {string} email */
async function signIn(url, email) {
  let cookie = ''
  /** @param {string} method @param {string} path @param {object} [data] */
  const ask = async (method, path, data, headers = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...(data && { 'content-type': 'application/json' }), origin: url, cookie, ...headers },
      ...(data && { body: JSON.stringify(data) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const signedIn = await ask('POST', '/api/auth/login', { email, password })
  cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  /** @returns {Promise<any>} */
  const read = async (/** @type {string} */ path) => (await ask('GET', path)).json()
  return {
    /** @param {string} title @param {object} about @returns {Promise<string>} the post's id */
    publish: async (title, about = {}) => {
      const post = { title, type: 'single', vehicles: [aVehicle], ...about }
      const { id } = /** @type {{ id: string }} */ (await (await ask('POST', '/api/inventory', post)).json())
      return id
    },
    /** @param {string} id @param {object} data */
    edit: (id, data) => ask('PATCH', `/api/inventory/${id}`, data),
    /** @param {string} content */
    sendMessage: async (content) => {
      const chats = await read('/api/chats')
      const isDana = (/** @type {{ name: string }} */ { name }) => name === 'Dana Torres'
      const { id: chatId } = chats.find((/** @type {any} */ { participants }) => participants.some(isDana))
      const clientId = randomUUID()
      await ask('POST', '/api/messages', { chatId, clientId, content }, { 'idempotency-key': clientId })
    },
    /** @returns {Promise<string | undefined>} */
    lastMessage: async () => (await read('/api/chats?messages=1'))[0]?.messages.at(-1)?.content,
  }
}

const marcusOf = (/** @type {string} */ url) => signIn(url, 'marcus@webbbros.example')

/** Runs in the page. Returns the vertical position of the feed's fifth post. */
const placeOfRead = () =>
  Math.round(document.querySelectorAll('[role="feed"] article')[4]?.getBoundingClientRect().top ?? Number.NaN)

/** Checks that new posts and edits above the viewport do not move the post that the dealer is reading. @param {Visit} visit */
async function feed({ user, url, who, picture }) {
  const marcus = await marcusOf(url)
  const id = await marcus.publish(`Above the reader, ${who}`)
  await user.open('/')
  await user.see('Live updates')
  await user.see(`Above the reader, ${who}`)
  await user.until('more than five posts', () => document.querySelectorAll('[role="feed"] article').length > 5)
  await picture('feed')
  await user.read(() => {
    const read = document.querySelectorAll('[role="feed"] article')[4]
    read?.setAttribute('data-read', '')
    window.scrollBy({ top: (read?.getBoundingClientRect().top ?? 0) - 200, behavior: 'instant' })
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))
  })
  const [place, scrolled] = [await user.read(placeOfRead), await user.read(() => scrollY)]
  /** @param {string} cause */
  const stays = async (cause) => {
    const now = await user.read(() =>
      Math.round(document.querySelector('[data-read]')?.getBoundingClientRect().top ?? Number.NaN),
    )
    if (Math.abs(now - place) > 1) throw new Error(`${cause} moved what was read from ${place} to ${now} px`)
  }
  await marcus.publish(`Behind the pill, ${who}`)
  await user.seeElement('button', '1 new post')
  await stays('a new post')
  await picture('pill')
  await marcus.edit(id, { description: 'One owner. '.repeat(40) })
  await user.until('the room that the edited post takes', (y) => scrollY > y, scrolled)
  await stays('an edited post')
  await user.press('button', '1 new post')
  await user.see(`Behind the pill, ${who}`)
}

/** Runs in the page before the page creates audio objects. Counts AudioContexts, calls to `resume`, and notes (oscillators). */
function countSounds() {
  /** @type {AudioContext[]} */
  const contexts = []
  const counts = { contexts, woken: 0, notes: 0 }
  Reflect.set(window, 'sounds', counts)
  const { AudioContext, OscillatorNode } = window
  window.AudioContext = new Proxy(AudioContext, {
    construct: (target, args) => {
      const made = Reflect.construct(target, args)
      contexts.push(made)
      const resume = made.resume.bind(made)
      made.resume = () => {
        counts.woken += 1
        return resume()
      }
      return made
    },
  })
  window.OscillatorNode = new Proxy(OscillatorNode, {
    construct: (target, args) => {
      counts.notes += 1
      return Reflect.construct(target, args)
    },
  })
  // Remove the Notification API, because iOS exposes it only to installed web apps.
  Reflect.deleteProperty(window, 'Notification')
}

/** Checks messages in both directions, sound after one click, the iPhone hint, and a text box that grows. @param {Visit} visit */
async function dock({ user, url, phone, who, picture }) {
  const [marcus, priya] = [await marcusOf(url), await signIn(url, 'priya@lakefront.example')]
  await user.open(phone ? '/messages' : '/')
  if (!phone) {
    await user.see('Live updates')
    await user.press('button', /^Messaging/)
  }
  await user.read(countSounds)
  await user.press('button', 'Message alerts')
  await user.press('menuitem', 'Turn desktop notifications on')
  await user.see(/choose Add to Home Screen first/)
  await user.press('button', 'Message alerts')
  await user.press('menuitem', 'Turn sound on')
  // Without a sound card, an AudioContext never starts in Firefox, so there a call to `resume` is enough.
  await user.until(
    'a sound that the press has woken',
    (silent) => {
      const { contexts, woken } = Reflect.get(window, 'sounds')
      return contexts[0]?.state === 'running' || (silent && woken > 0)
    },
    who.startsWith('firefox'),
  )
  await user.press('button', /Marcus Webb/)
  const one = await user.read(() => document.querySelector('textarea')?.clientHeight ?? 0)
  await user.fill('Message to Marcus Webb', `One\ntwo\nthree\nfour, ${who}`)
  await user.until(
    'a box as high as four lines',
    (height) => {
      const box = document.querySelector('textarea')
      return box !== null && box.clientHeight >= height + 50 && box.scrollHeight <= box.clientHeight + 1
    },
    one,
  )
  await picture('composer')
  await user.press('button', 'Send')
  await user.see(new RegExp(`four, ${who}`))
  await marcus.sendMessage(`Heard in ${who}`)
  await user.see(`Heard in ${who}`)
  if (!(await marcus.lastMessage())?.includes(who)) throw new Error('Marcus did not get the message')
  await priya.sendMessage(`Are you there, ${who}?`)
  await user.until('two notes for the message of another chat', () => {
    const { contexts, notes } = Reflect.get(window, 'sounds')
    return notes === 2 || contexts[0]?.state !== 'running'
  })
  const contexts = await user.read(() => Reflect.get(window, 'sounds').contexts.length)
  if (contexts !== 1) throw new Error(`${contexts} AudioContexts in one page`)
  await picture('chat')
}

/** @param {Visit} visit */
async function auction({ user, url, who, picture }) {
  const marcus = await marcusOf(url)
  const id = await marcus.publish(`Live auction, ${who}`, { auction: { startAmount: 10_000, reserveAmount: null } })
  await user.open(`/post/${id}`)
  await user.press('button', 'Open live auction')
  await user.seeElement('heading', 'Bid ladder')
  await picture('auction')
  await user.press('button', /^Bid Start, /)
  await user.press('button', /^Confirm/)
  await user.see('You are winning')
  await picture('winning')
}

/** @param {Visit} visit */
async function offer({ user, url, who, picture }) {
  const id = await (await marcusOf(url)).publish(`For an offer, ${who}`)
  await user.open(`/post/${id}`)
  await user.see('AI summary')
  await user.press('button', 'Make offer')
  await user.fill('Your offer', '30500')
  await picture('offer')
  await user.press('button', 'Send offer')
  await user.seeElement('link', 'Your offer: $30,500')
}

/** @param {Visit} visit */
async function post({ user, who, picture }) {
  await user.open('/')
  await user.see('Live updates')
  await user.press('button', 'Post Inventory')
  await user.fill('Title', `Posted in ${who}`)
  await user.fill('VIN', vin)
  await user.fill('Mileage', '48210')
  await user.fill('Price', '31900')
  await user.see('Complete')
  await picture('post')
  await user.press('button', 'Post Inventory', { last: true })
  await user.see('Inventory posted successfully!')
  await user.seeElement('link', `Posted in ${who}`)
}

/** @param {Visit} visit */
async function checkout({ user, phone, who, picture }) {
  await user.open('/')
  await user.see('Live updates')
  await user.press('button', phone ? /^More/ : /^Account/)
  await user.press(phone ? 'button' : 'menuitem', 'Log Out')
  await user.press('radio', 'Sign Up')
  const newPassword = 'seven quiet lorries at dawn'
  await user.fill('Email', `${who.replaceAll(/\W/g, '-')}@newcomer.example`)
  await user.fill('Password', newPassword)
  await user.fill('Confirm password', newPassword)
  await picture('sign-up')
  await user.press('button', 'Sign Up', { last: true })
  await user.press('button', 'Fill Dummy Data')
  await picture('profile')
  await user.press('button', 'Save and choose a plan')
  await user.press('radio', /^Basic/)
  await user.press('button', 'Fill Dummy Payment')
  await user.fill('Card number', '4242424242424242')
  await picture('checkout')
  await user.press('button', 'Complete Payment')
  await user.see('Live updates')
}

/** @type {Record<string, (visit: Visit) => Promise<void>>} */
export const steps = {
  'sign-in': async ({ user, picture }) => {
    await user.open('/login')
    await user.fill('Email', 'dana@torresauto.example')
    await user.fill('Password', password)
    await picture('sign-in')
    await user.press('button', 'Login', { last: true })
    await user.see('Live updates')
  },
  feed,
  dock,
  auction,
  offer,
  post,
  checkout,
}
