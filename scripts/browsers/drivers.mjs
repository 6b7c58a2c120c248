/** Drives Firefox with WebDriver BiDi and WebKit with WebDriver. Libraries need a Firefox driver (geckodriver), which Debian lacks. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Fault } from '../console.mjs'
import { endChild, freePort, startGuard } from '../programs/processes.mjs'

/**
 * @typedef {object} Driver
 * @property {string} version
 * @property {(url: string) => Promise<unknown>} open resolves once the page is loaded
 * @property {(expression: string) => Promise<unknown>} evaluate awaits an expression in the page and returns its JSON value
 * @property {(actions: object[]) => Promise<unknown>} act performs keyboard and pointer actions; both protocols have the same format
 * @property {() => Promise<Buffer>} picture a PNG of the viewport
 * @property {() => Promise<void>} close
 */
/** @typedef {{ width: number, height: number }} Size of the viewport in px */
/** @typedef {{ find: () => (string | undefined), drive: (program: string, size: Size) => Promise<Driver> }} Kind */
/** @typedef {{ keep: <T extends import('node:child_process').ChildProcess>(child: T) => T, end: () => Promise<void> }} Children */

const answerMs = 60_000
const screen = '1920x1200x24'

/** @param {string[]} names */
function onPath(...names) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

/** Tracks the processes of one browser. Ends them in reverse order when the browser closes or this script dies. @returns {Children} */
function startChildren() {
  const guard = startGuard()
  /** @type {import('node:child_process').ChildProcess[]} */
  const started = []
  return {
    keep: (child) => {
      started.push(child)
      guard.watch(child, 'TERM')
      return child
    },
    end: async () => {
      for (const child of started.toReversed()) await endChild(child, 'SIGTERM')
      await guard.release()
    },
  }
}

/** Returns the first capture of `wanted`, then discards the rest. @param {import('node:stream').Readable} stream @param {RegExp} wanted */
async function firstLine(stream, wanted) {
  for await (const line of createInterface({ input: stream })) {
    const found = wanted.exec(line)?.[1]
    if (found === undefined) continue
    stream.resume()
    return found
  }
  throw new Fault(`The browser ended before it said ${wanted.source}.`)
}

/** @param {string} expression */
const asJson = (expression) =>
  `Promise.resolve().then(() => (${expression})).then(
    (value) => JSON.stringify({ value }),
    (error) => JSON.stringify({ error: String(error) }),
  )`

/** @param {unknown} text the page's result for `asJson` */
function fromJson(text) {
  const { value, error } = JSON.parse(String(text))
  if (error !== undefined) throw new Error(error)
  return value
}

/** @param {string} address */
async function connectBidi(address) {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(address)
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const asked = new Map()
  socket.on('message', (bytes) => {
    const { id, error, message, result } = JSON.parse(/** @type {Buffer} */ (bytes).toString())
    const one = asked.get(id)
    asked.delete(id)
    if (error) one?.reject(new Error(`${error}: ${message}`))
    else one?.resolve(result)
  })
  socket.on('close', () => {
    for (const { reject } of asked.values()) reject(new Error('Firefox is gone'))
  })
  await once(socket, 'open')
  let lastId = 0
  /** @param {string} method @param {object} params @returns {Promise<any>} */
  return (method, params) =>
    new Promise((resolve, reject) => {
      lastId += 1
      asked.set(lastId, { resolve, reject })
      socket.send(JSON.stringify({ id: lastId, method, params }))
    })
}

/** @param {string} program @param {Size} size @returns {Promise<Driver>} */
async function driveFirefox(program, size) {
  const profile = mkdtempSync(join(tmpdir(), 'lanewire-firefox-'))
  const { keep, end } = startChildren()
  const close = async () => {
    await end()
    rmSync(profile, { recursive: true, force: true })
  }
  try {
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
    const firefox = keep(spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
    const send = await connectBidi(`${await firstLine(firefox.stderr, /BiDi listening on (ws:\S+)/)}/session`)
    const { capabilities } = await send('session.new', { capabilities: {} })
    const { contexts } = await send('browsingContext.getTree', {})
    const { context } = contexts[0]
    await send('browsingContext.setViewport', { context, viewport: size })
    return {
      version: capabilities.browserVersion,
      open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
      evaluate: async (expression) => {
        const about = { expression: asJson(expression), target: { context }, awaitPromise: true }
        const { result, exceptionDetails } = await send('script.evaluate', about)
        if (exceptionDetails) throw new Error(exceptionDetails.text)
        return fromJson(result.value)
      },
      act: (actions) => send('input.performActions', { context, actions }),
      picture: async () => Buffer.from((await send('browsingContext.captureScreenshot', { context })).data, 'base64'),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function findMiniBrowser() {
  const folders = ['/usr/lib', '/usr/libexec', '/usr/lib64'].filter((folder) => existsSync(folder))
  const below = folders.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))])
  return ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0']
    .flatMap((name) => below.map((folder) => join(folder, name, 'MiniBrowser')))
    .find((path) => existsSync(path))
}

/** @param {Children} children @returns {Promise<string>} name of a new display without a window manager (one could resize windows) */
async function openDisplay({ keep }) {
  const args = ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp']
  const child = keep(spawn(onPath('Xvfb') ?? 'Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }))
  return `:${await firstLine(/** @type {import('node:stream').Readable} */ (child.stdio[3]), /(\d+)/)}`
}

/** @param {string} base */
function connectClassic(base) {
  /** @param {string} path @param {object} [data] @returns {Promise<any>} */
  return async (path, data) => {
    const request = data ? { method: 'POST', body: JSON.stringify(data) } : {}
    const answer = await fetch(base + path, { ...request, signal: AbortSignal.timeout(answerMs) })
    const { value } = /** @type {{ value: any }} */ (await answer.json())
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
}

/**
 * Sets the size of the viewport by resizing the window, which also has toolbars. The window cannot be narrower than 447 px.
 * @param {ReturnType<typeof connectClassic>} send @param {Size} size
 */
async function resizeWindow(send, size) {
  const script = 'return { width: innerWidth, height: innerHeight }'
  await send('/window/rect', { x: 0, y: 0, ...size })
  const [outer, inner] = [await send('/window/rect'), await send('/execute/sync', { script, args: [] })]
  const width = size.width + outer.width - inner.width
  await send('/window/rect', { x: 0, y: 0, width, height: size.height + outer.height - inner.height })
}

/** @param {string} program path of the driver @param {Size} size @returns {Promise<Driver>} */
async function driveWebKit(program, size) {
  const children = startChildren()
  try {
    const [display, port] = [await openDisplay(children), await freePort()]
    const env = { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11' }
    children.keep(spawn(program, [`--port=${port}`], { env, stdio: 'ignore' }))
    const address = `http://127.0.0.1:${port}`
    const listens = () =>
      fetch(`${address}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await listens())) await new Promise((done) => void setTimeout(done, 50))
    const browser = { binary: findMiniBrowser(), args: ['--automation'] }
    const { sessionId, capabilities } = await connectClassic(address)('/session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browser } },
    })
    const send = connectClassic(`${address}/session/${sessionId}`)
    await send('/timeouts', { script: answerMs, pageLoad: answerMs })
    await resizeWindow(send, size)
    return {
      version: capabilities.browserVersion,
      open: (url) => send('/url', { url }),
      evaluate: async (expression) => {
        const script = `const done = arguments[arguments.length - 1]; ${asJson(expression)}.then(done)`
        return fromJson(await send('/execute/async', { script, args: [] }))
      },
      act: (actions) => send('/actions', { actions }),
      picture: async () => Buffer.from(await send('/screenshot'), 'base64'),
      close: async () => {
        await fetch(`${address}/session/${sessionId}`, { method: 'DELETE' })
        await children.end()
      },
    }
  } catch (error) {
    await children.end()
    throw error
  }
}

/** @type {Record<string, Kind>} */
export const kinds = {
  firefox: { find: () => onPath('firefox-esr', 'firefox'), drive: driveFirefox },
  webkit: {
    find: () => (findMiniBrowser() && onPath('Xvfb') ? onPath('WebKitWebDriver') : undefined),
    drive: driveWebKit,
  },
}
