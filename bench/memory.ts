import { readFileSync } from 'node:fs'
import type { BenchEnv, BenchRow } from './bench.ts'
import { openSessions, toRow, withDatabase } from './measure.ts'
import { connect, connectMany } from './sockets.ts'

export const name = 'Memory of a signed-in socket with 50 rooms'

const warmUp = 100
const measured = 500
const rooms = 50
const settleMs = 3_000
const kilobyte = 1_024

/** Resident kilobytes of a process. */
function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN)
}

async function listPosts(databaseUrl: string): Promise<string[]> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from posts where deleted_at is null and hidden_at is null order by id limit $1',
      [rooms],
    )
    return rows.map(({ id }) => id)
  })
}

/** A node of its own, warmed up first, so that what it compiles and pools once is not counted per socket. */
export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const sessions = await openSessions(env.databaseUrl, warmUp)
  const posts = await listPosts(env.databaseUrl)
  const node = await env.startNode({ ROLES: 'api,rt' })
  const open = async (index: number) => {
    const socket = await connect(node.url, sessions[index % sessions.length]?.cookie ?? '')
    for (const id of posts) await socket.emitWithAck('view', { kind: 'post', id, on: true })
    return socket
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, settleMs))
  const first = await connectMany(warmUp, open)
  await settle()
  const before = residentKb(node.pid)
  const others = await connectMany(measured, open)
  await settle()
  const each = (residentKb(node.pid) - before) / Math.max(1, others.length)
  for (const socket of [...first, ...others]) socket.disconnect()
  await node.stop()
  return [
    toRow({
      figure: `a socket in ${posts.length} rooms`,
      goal: '≤ 28 KB',
      note: `${each.toFixed(1)} KB each over ${others.length} (resident, ${Math.round(before / kilobyte)} MB before)`,
    }),
  ]
}
