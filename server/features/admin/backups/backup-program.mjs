/**
 * Runs the bundled pg_dump, which is compiled to WebAssembly and blocks while it waits for responses, so it needs a process of its own. It
 * connects through a pipe to the parent process. Plain JavaScript, because the tests start it from the sources.
 */
import { readSync, writeSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'

const connection = 3
const pieceBytes = 65_536
/** One byte for a message's type and four for its length, which counts itself. */
const headLength = 5

const lost = (/** @type {unknown} */ cause) => new Error('the connection to the server was lost', { cause })

/** @param {Uint8Array} bytes */
function send(bytes) {
  try {
    for (let sent = 0; sent < bytes.length;) sent += writeSync(connection, bytes, sent)
  } catch (error) {
    throw lost(error)
  }
}

/** Returns a function that finds the types of the messages that end in a chunk. @returns {(bytes: Uint8Array) => string} */
function followMessages() {
  let head = Buffer.alloc(0)
  let left = 0
  return (bytes) => {
    let ended = ''
    for (let at = 0; at < bytes.length;) {
      const step = Math.min(left || headLength - head.length, bytes.length - at)
      if (left > 0) left -= step
      else {
        head = Buffer.concat([head, bytes.subarray(at, at + step)])
        if (head.length === headLength) left = head.readInt32BE(1) - (headLength - 1)
      }
      at += step
      if (left > 0 || head.length < headLength) continue
      ended += String.fromCharCode(head[0] ?? 0)
      head = Buffer.alloc(0)
    }
    return ended
  }
}

/** Reads until the server is ready for the next query (`Z`). @param {ReturnType<typeof followMessages>} types */
function receive(types) {
  const answer = []
  for (;;) {
    const piece = Buffer.alloc(pieceBytes)
    const bytes = piece.subarray(0, readSync(connection, piece))
    if (bytes.length === 0) throw lost(undefined)
    answer.push(bytes)
    if (types(bytes).includes('Z')) return Buffer.concat(answer)
  }
}

/** Wraps the remote PostgreSQL server in the interface of the embedded server, which this pg_dump expects. */
function distantServer() {
  const [asked, answered] = [followMessages(), followMessages()]
  let started = false
  return {
    // The package restores the search path of an embedded database afterward. Here, the session just ends.
    query: async () => ({ rows: [{ search_path: '' }] }),
    exec: async () => undefined,
    /** @param {Uint8Array} bytes @param {{ onRawData: (bytes: Uint8Array) => void }} to */
    execProtocolRawStream(bytes, { onRawData }) {
      if (started) {
        const ended = asked(bytes)
        if (ended.includes('X')) return
        send(bytes)
        // A long query arrives in several chunks, and the server responds only to the last.
        if (ended === '') return
      }
      // Drop the startup message: the parent process has signed in already and sent the server's greeting in advance.
      started = true
      onRawData(receive(answered))
    },
  }
}

// Skip the optimizing compiler, which took more than half of the time. The program mostly waits for responses.
setFlagsFromString('--liftoff-only')
// pg_dump uses this name in its messages.
process.argv[1] = 'pg_dump'
try {
  const pg = /** @type {Parameters<typeof pgDump>[0]['pg']} */ (/** @type {unknown} */ (distantServer()))
  const file = await pgDump({ pg, args: process.argv.slice(2) })
  process.stdout.write(new Uint8Array(await file.arrayBuffer()))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${/pg_dump: error: [^]*/.exec(message)?.[0] ?? `pg_dump: ${message}`}\n`)
  process.exitCode = 1
}
