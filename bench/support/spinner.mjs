/** Control: uses a given amount of CPU time at a fixed rate, to show how any equal load slows down this machine. */
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** @type {{ ms: number, perSecond: number }} `ms`: CPU milliseconds per spin; `perSecond`: spins per second */
const { ms, perSecond } = workerData
const stepsAtOnce = 10_000
const tries = 50
let kept = 0

function spin() {
  for (let step = 0; step < stepsAtOnce; step += 1) kept = (kept * 31 + step) % 1_000_003
}

function timeOfSpin() {
  const start = performance.now()
  spin()
  return performance.now() - start
}

// Use the fastest run, because it was least affected by other processes.
const spinMs = Math.min(...Array.from({ length: tries }, timeOfSpin))
const spins = Math.max(1, Math.round(ms / spinMs))
const over = new AbortController()
parentPort?.once('message', () => over.abort())
const start = performance.now()
for (let index = 0; !over.signal.aborted; index += 1) {
  const due = start + (index * 1_000) / perSecond
  // Wait even when late, so that the thread can receive the stop message.
  await wait(Math.max(0, due - performance.now()))
  for (let spun = 0; spun < spins; spun += 1) spin()
}
parentPort?.postMessage(kept)
