import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

const ticksPerSecond = 100

/** @param {string} pid @returns {{ parent: string, seconds: number } | undefined} a process's own time and that of its children that have ended */
function timesOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, parent = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0)
    return { parent, seconds: ticks / ticksPerSecond }
  } catch {
    return undefined
  }
}

/** @param {string} pid */
function folderOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

/** Seconds of processor time that one process has used so far; 0 where there is no /proc. @param {number} pid */
export const processSeconds = (pid) => timesOf(String(pid))?.seconds ?? 0

/**
 * Seconds of processor time used so far by the server processes, by the services whose data is below `folder`, and by
 * this process. Wall time on a busy machine says little; this still says what a call costs. Empty where there is no /proc.
 * @param {string} folder @param {number[]} servers
 * @returns {Record<string, number>}
 */
export function cpuSeconds(folder, servers) {
  if (process.platform !== 'linux') return {}
  const used = { server: 0, postgres: 0, redis: 0, generator: 0 }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const times = timesOf(pid)
    if (times === undefined) continue
    const cwd = folderOf(pid)
    if (servers.includes(Number(pid))) used.server += times.seconds
    else if (cwd.startsWith(`${folder}/postgres`)) used.postgres += times.seconds
    else if (cwd.startsWith(`${folder}/redis`)) used.redis += times.seconds
  }
  const own = process.cpuUsage()
  used.generator = (own.user + own.system) / 1e6
  return used
}
