import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

const ticksPerSecond = 100

/** Includes the CPU time of ended children. @param {string} pid @returns {{ parent: string, seconds: number } | undefined} */
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

/** Returns the CPU seconds that a process has used, or 0 without /proc. @param {number} pid */
export const processSeconds = (pid) => timesOf(String(pid))?.seconds ?? 0

/** CPU seconds by program. Empty except on Linux. @param {string} folder @param {number[]} servers @returns {Record<string, number>} */
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
