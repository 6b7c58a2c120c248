/**
 * Many watchers of one room in a process of their own: WebSockets that understand just enough of Socket.IO, so that what is
 * measured is the server. They count the marks `bench-NUMBER-MILLISECONDS-` in what they hear, however it is packed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

const atOnce = 50
const retryMs = 300
const mark = Buffer.from('bench-')
/** Longer than the rest of a mark. */
const markRest = 32
/** Longer than anybody waits. */
const slowestMs = 20_000

const tally = { arrived: 0, repeated: 0, disordered: 0, packets: 0, bytes: 0, refused: 0 }
const latencies = new Uint32Array(slowestMs)
/** @type {number[]} How long each socket waited until it was let in. */
const waits = []

/** @param {number} marks @returns what one socket does with a packet that has the first mark at `at` */
function createCount(marks) {
  const seen = new Uint8Array(marks)
  let last = -1
  return (/** @type {Buffer} */ data, /** @type {number} */ at) => {
    const now = Date.now()
    tally.packets += 1
    tally.bytes += data.length
    for (let from = at; from !== -1; from = data.indexOf(mark, from + mark.length)) {
      const rest = data.toString('latin1', from + mark.length, from + mark.length + markRest)
      const [number = 0, sentAt = 0] = rest.split('-', 2).map(Number)
      if (seen[number]) tally.repeated += 1
      else {
        seen[number] = 1
        tally.arrived += 1
        if (number < last) tally.disordered += 1
        last = number
      }
      const latency = Math.max(0, Math.min(slowestMs - 1, now - sentAt))
      latencies[latency] = (latencies[latency] ?? 0) + 1
    }
  }
}

/** @typedef {{ url: string, cookies: string[], count: number, marks: number, joins?: object, perSecond?: number }} Options */

/** @param {Options} options @param {number} index @returns {Promise<WebSocket>} in its room */
const tryOnce = ({ url, cookies, marks, joins }, index) =>
  new Promise((resolve, reject) => {
    const headers = { cookie: cookies[index % cookies.length] ?? '' }
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      headers,
      perMessageDeflate: false,
      skipUTF8Validation: true,
    })
    const count = createCount(marks)
    const greet = (/** @type {string} */ text) => {
      if (text.startsWith('0')) socket.send('40')
      else if (text === '2') socket.send('3')
      else if (text.startsWith('44')) reject(new Error(text))
      else if (text.startsWith('42["hello"') && joins) socket.send(`420${JSON.stringify(['view', joins])}`)
      else if (/^(430|42\["(hello|connected)")/.test(text)) resolve(socket)
    }
    socket.on('error', reject)
    socket.on('message', (/** @type {Buffer} */ data) => {
      const at = data.indexOf(mark)
      if (at === -1) greet(data.toString())
      else count(data, at)
    })
  })

/** Comes again until it is let in. @param {Options} options @param {number} index */
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
      const counted = [...latencies.entries()].filter(([, times]) => times > 0)
      if (tell) process.send?.({ ...tally, waits, latencies: counted })
      if (!end) return
      for (const socket of sockets) socket.terminate()
      process.disconnect()
    })
    process.send?.({ ready: true })
  })
})
