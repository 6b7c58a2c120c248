import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** Polls `ready` until it returns true. Resolves to false after `ms` milliseconds. @param {() => boolean} ready @param {number} ms */
export async function until(ready, ms, everyMs = 20) {
  for (const end = Date.now() + ms; Date.now() < end; await delay(everyMs)) if (ready()) return true
  return ready()
}

/** Returns a free TCP port on loopback. @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns the command line, or '' if unknown. Reads /proc on Linux, because slim images lack `ps`. @param {number} pid */
export function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    if (process.platform === 'linux') return ''
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Returns the id of a process's parent, or 0 if it is unknown. @param {number} pid */
function parentOf(pid) {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    if (process.platform === 'linux') return 0
  }
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }))
  } catch {
    return 0
  }
}

/** Calls `gone` if npm dies. Otherwise, this script would keep running. @param {() => void} gone @returns {() => void} stops watching */
export function watchRunner(gone) {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return () => undefined
  const parent = process.ppid
  const runner = /^\S*sh -c /.test(commandOf(parent)) ? parentOf(parent) : parent
  const timer = setInterval(() => {
    if (process.ppid === parent && (runner === 0 || isAlive(runner))) return
    clearInterval(timer)
    gone()
  }, 500)
  timer.unref()
  return () => clearInterval(timer)
}

/** Ends a process that is not our child, such as a process left by a killed run. @param {number} pid @param {NodeJS.Signals} signal */
export async function endPid(pid, signal) {
  if (!isAlive(pid)) return
  process.kill(pid, signal)
  if (!(await until(() => !isAlive(pid), 15_000))) process.kill(pid, 'SIGKILL')
}

/** Sends `signal` and waits for the exit. Sends SIGKILL after `graceMs`. @param {ChildProcess} child @param {NodeJS.Signals} signal */
export async function endChild(child, signal, graceMs = 15_000) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await gone
  clearTimeout(timer)
}

/**
 * @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} the exit code
 */
export async function exec(command, args, options) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

const GUARD = `
trap '' INT TERM HUP
all=
while read -r signal pid; do all="$signal:$pid $all"; done
for one in $all; do
  kill -s "\${one%%:*}" "\${one##*:}" 2>/dev/null || continue
  i=0
  while kill -0 "\${one##*:}" 2>/dev/null && [ $i -lt 350 ]; do sleep 0.1; i=$((i + 1)); done
done
`

/** Starts a shell that ends the watched children, newest first, once this process has died, even by SIGKILL. */
export function startGuard() {
  const shell = spawn('/bin/sh', ['-c', GUARD], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.unref()
  return {
    /** @param {ChildProcess} child @param {'INT' | 'TERM'} signal */
    watch: (child, signal) => void shell.stdin.write(`${signal} ${child.pid}\n`),
    /** Stops the guard. Call it as soon as all children have exited, because their pids can be reused. */
    release: () => endChild(shell, 'SIGKILL'),
  }
}
