/** Sends requests at a fixed rate, in a separate thread, so that parsing the responses does not delay other measurements. */
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** @type {{ urls: string[], headers: Record<string, string>, perSecond: number }} */
const { urls, headers, perSecond } = workerData
const agent = new Agent({ keepAlive: true, maxSockets: 512, noDelay: true })
const over = new AbortController()

/** @param {string} url @returns {Promise<number | undefined>} the status */
const ask = (url) =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers }, (response) => {
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode))
      response.resume()
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

parentPort?.once('message', () => over.abort())
const start = performance.now()
const asked = { times: /** @type {number[]} */ ([]), refused: 0 }
/** @param {string} url @param {number} due */
async function askOnce(url, due) {
  const status = await ask(url)
  if (status === 503) asked.refused += 1
  else if (status === 200) asked.times.push(performance.now() - due)
  else throw new Error(`${url} answered ${status}`)
}
const answers = []
for (let index = 0; !over.signal.aborted; index += 1) {
  const due = start + (index * 1_000) / perSecond
  if (due > performance.now()) await wait(due - performance.now())
  answers.push(askOnce(urls[index % urls.length] ?? '', due))
}
await Promise.all(answers)
parentPort?.postMessage(asked)
agent.destroy()
