/**
 * The bundled pg_dump, a process of its own: PostgreSQL's program compiled to WebAssembly, with its arguments. It waits for every
 * answer, and its connection is a pipe to the process that started it and holds the real one. Plain JavaScript, as the tests start it
 * from the sources.
 */
import { readSync, writeSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'

/** The file descriptor of the pipe. */
const connection = 3
const pieceBytes = 65_536
/** Of a message: its type, and the length of the rest with the length itself. */
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

/**
 * Follows a stream of messages: answers for each piece of it the types of those that ended there, in order.
 * @returns {(bytes: Uint8Array) => string}
 */
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

/** Everything up to where the server says that it is ready for the next query. @param {ReturnType<typeof followMessages>} types */
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
    // About the session that an embedded database goes on with; ours ends.
    query: async () => ({ rows: [{ search_path: '' }] }),
    exec: async () => undefined,
    /** @param {Uint8Array} bytes @param {{ onRawData: (bytes: Uint8Array) => void }} to */
    execProtocolRawStream(bytes, { onRawData }) {
      if (started) {
        const ended = asked(bytes)
        if (ended.includes('X')) return
        send(bytes)
        // A long query comes in several pieces, and only the last one is answered.
        if (ended === '') return
      }
      // Its first message says who it is: the starter has done that, and sent the greeting ahead.
      started = true
      onRawData(receive(answered))
    },
  }
}

// Each function is compiled once, quickly: to make it fast took more than half of the time, and most of it waits for answers.
setFlagsFromString('--liftoff-only')
// By what it is called, it names itself.
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
