import { readFileSync } from 'node:fs'
import t from 'tap'
import type { SheetReport } from '#shared/schemas/posting.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { hostileSheets, orOverdue, previewSheet } from '#tests/support/hostile-sheets.ts'
import { type NodeProcess, startNode } from '#tests/support/node-process.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { until } from '#tests/support/wait.ts'

const askEveryMs = 50
const answerWithinMs = 250

/** Returns for how many milliseconds a process's main thread was ready to run but had no CPU, or 0 if the system does not measure it. */
function starvedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/** Measures response times without the time that the processes waited for a CPU. */
function watch({ url, pid }: NodeProcess) {
  let asks: Promise<number>[] = []
  const elapsed = () => performance.now() - starvedMs(pid) - starvedMs(process.pid)
  const ask = async () => {
    const began = elapsed()
    const { status } = await fetch(`${url}/health/live`)
    return status === 200 ? elapsed() - began : Number.POSITIVE_INFINITY
  }
  const timer = setInterval(() => asks.push(ask()), askEveryMs)
  return {
    async latest(): Promise<number> {
      const made = asks
      asks = []
      return Math.max(...(await Promise.all(made)))
    },
    /** Waits for open requests, so that the server can stop afterwards. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await Promise.allSettled(asks)
    },
  }
}

async function importLink(seller: Caller, spreadsheetUrl: string): Promise<SheetReport> {
  const id = await publish(seller, { type: 'spreadsheet', vehicles: [], spreadsheetUrl })
  return until('the import', async () => {
    const { body } = await seller.get<SheetReport>(`/api/inventory/${id}/sheet`)
    return body.state === 'waiting' ? undefined : body
  })
}

t.test('delays only the sender of a deliberately slow file', async (t) => {
  const files = Object.entries(hostileSheets)
  const host = await startWebsite(t, ({ url }, response) => response.end(files[Number(url?.slice(1))]?.[1][0]))
  const app = await startApp(t, { ROLES: 'api,rt' })
  const node = await startNode(t, app.services, { ROLES: 'api,rt,worker', FETCH_PRIVATE_HOSTS: host })
  const seller = app.on({ ...app, url: node.url }, await app.signIn())
  const harmless = Buffer.from('VIN,Year\n1FTFW1E59NKD69096,2022\n')
  const { latest, stop } = watch(node)
  t.teardown(stop)
  for (const [index, [name, [file, answer]]] of files.entries()) {
    const { status, body } = await previewSheet(seller, file)
    t.match({ status, message: body.error?.message }, { status: 400, message: orOverdue(answer) }, `${name}, previewed`)
    t.match(
      await importLink(seller, `http://${host}/${index}`),
      { state: 'failed', error: orOverdue(answer) },
      `${name}, linked`,
    )
    const latestMs = Math.round(await latest())
    t.ok(latestMs < answerWithinMs, `${name}: the slowest answer to another dealer took ${latestMs} ms`)
  }
  t.equal((await previewSheet(seller, harmless)).body.vehicles?.length, 1, 'the next file is read')
})
