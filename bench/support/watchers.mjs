/** Opens sockets in a separate process, with a minimal Socket.IO client that uses little CPU time. watchers.ts describes the options. */
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

const atOnce = 50
const retryMs = 300
const tally = { packets: 0, bytes: 0, refused: 0 }
/** @type {number[]} milliseconds until each socket was connected */
const waits = []

const isEvent = Buffer.from('42[')
const states = /"auction\.state",\{"postId":"([^"]+)","seq":(\d+)/g
/** @type {number[]} number of events per socket */
const perSocket = []
/** @type {[socket: number, postId: string, seq: number, at: number][]} */
const noted = []

/** Returns a handler that counts packets and can record auction states. @param {number} socket @param {boolean} notes */
function createNote(socket, notes) {
  perSocket[socket] = 0
  return (/** @type {Buffer} */ data) => {
    const now = Date.now()
    tally.packets += 1
    tally.bytes += data.length
    perSocket[socket] = (perSocket[socket] ?? 0) + 1
    if (!notes) return
    for (const [, postId = '', seq] of data.toString().matchAll(states)) noted.push([socket, postId, Number(seq), now])
  }
}

/** @typedef {{ url: string, cookies: string[], count: number, notes?: number, joins?: object | object[][], perSecond?: number }} Options */

/** @param {Options} options @param {number} index @returns {Promise<WebSocket>} a socket that has joined its rooms */
const tryOnce = ({ url, cookies, notes, joins }, index) =>
  new Promise((resolve, reject) => {
    const views = Array.isArray(joins)
      ? (joins[index % joins.length] ?? [])
      : [joins].filter((each) => each !== undefined)
    let answered = 0
    let isIn = false
    const enter = () => {
      isIn = true
      resolve(socket)
    }
    const headers = { cookie: cookies[index % cookies.length] ?? '' }
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      headers,
      perMessageDeflate: false,
      skipUTF8Validation: true,
    })
    const note = notes === undefined ? undefined : createNote(index, index < notes)
    const greet = (/** @type {string} */ text) => {
      if (text.startsWith('0')) socket.send('40')
      else if (text === '2') socket.send('3')
      else if (text.startsWith('44')) reject(new Error(text))
      else if (text.startsWith('42["hello"') && views.length > 0)
        for (const [id, view] of views.entries()) socket.send(`42${id}${JSON.stringify(['view', view])}`)
      else if (text.startsWith('43')) {
        answered += 1
        if (answered === views.length) enter()
      } else if (/^42\["(hello|connected)"/.test(text)) enter()
    }
    socket.on('error', reject)
    socket.on('message', (/** @type {Buffer} */ data) => {
      if (note !== undefined && isIn && data.subarray(0, isEvent.length).equals(isEvent)) return note(data)
      greet(data.toString())
    })
  })

/** Retries until connected. @param {Options} options @param {number} index */
async function open(options, index) {
  const began = performance.now()
  for (;;)
    try {
      const socket = await tryOnce(options, index)
      waits.push(performance.now() - began)
      return socket
    } catch {
      tally.refused += 1
      await pause(retryMs)
    }
}

/** @param {Options} options */
async function openAll(options) {
  const { count, perSecond } = options
  const opening = []
  const start = performance.now()
  while (opening.length < count) {
    const due = perSecond ? Math.ceil(((performance.now() - start) / 1_000) * perSecond) : opening.length + atOnce
    while (opening.length < Math.min(count, due)) opening.push(open(options, opening.length))
    if (perSecond) await pause(5)
    else await Promise.all(opening)
  }
  return Promise.all(opening)
}

process.once('message', (/** @type {Options} */ options) => {
  void openAll(options).then((sockets) => {
    process.on('message', (/** @type {{ tell?: true, end?: true }} */ { tell, end }) => {
      if (tell) process.send?.({ ...tally, waits, perSocket, noted })
      if (!end) return
      for (const socket of sockets) socket.terminate()
      process.disconnect()
    })
    process.send?.({ ready: true })
  })
})
