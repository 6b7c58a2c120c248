import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../root.mjs'

const SHOWN = 10
const WIDTH = 100

/** @typedef {{ id: number, callFrame: { functionName: string, url: string, lineNumber: number } }} Node_ */

/** Returns the functions with the most self time in the CPU profiles that the server processes wrote on exit. @param {string} folder */
export function topFunctions(folder) {
  /** @type {Map<string, number>} */
  const times = new Map()
  let busyMs = 0
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    /** @type {{ nodes: Node_[], samples: number[], timeDeltas: number[] }} */
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
    for (const [index, id] of samples.entries()) {
      const { functionName = '', url = '', lineNumber = 0 } = frames.get(id) ?? {}
      if (functionName === '(idle)') continue
      const ms = (timeDeltas[index] ?? 0) / 1_000
      const place = url === '' ? '' : ` ${relative(root, url.replace(/^file:\/\//, ''))}:${lineNumber + 1}`
      const name = `${functionName || '(anonymous)'}${place}`
      times.set(name, (times.get(name) ?? 0) + ms)
      busyMs += ms
    }
  }
  const top = [...times].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN)
  return top.map(([name, ms]) => ({
    'server: function': name,
    ms: Math.round(ms),
    '%': Math.round((100 * ms) / busyMs),
  }))
}

/** Returns the most expensive PostgreSQL statements, including statements that functions run. @param {string} url */
export async function topStatements(url) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create extension if not exists pg_stat_statements')
    const { rows } = await client.query(
      `select query, calls::int, total_exec_time + total_plan_time as ms, total_plan_time as plan_ms,
         sum(total_exec_time + total_plan_time) filter (where toplevel) over () as all_ms
       from pg_stat_statements order by ms desc limit $1`,
      [SHOWN],
    )
    return rows.map(({ query, calls, ms, plan_ms: planned, all_ms: all }) => ({
      statement: query.replaceAll(/\s+/g, ' ').trim().slice(0, WIDTH),
      calls,
      ms: Math.round(ms),
      'of it to plan': Math.round(planned),
      '%': Math.round((100 * ms) / all),
    }))
  } finally {
    await client.end()
  }
}
