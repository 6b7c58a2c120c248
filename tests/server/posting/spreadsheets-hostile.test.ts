import { readFileSync } from 'node:fs'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { SheetPreview, SheetReport } from '#shared/schemas/posting.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { type NodeProcess, startNode } from '#tests/support/node-process.ts'
import { anXlsx, aWorkbook, startWebsite, workbookParts, zip } from '#tests/support/sheets.ts'
import { allowUpload, putFile } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const askEveryMs = 50
const answerWithinMs = 250

const row = (cells: string, attributes = 'r="1"') => `<row ${attributes}>${cells}</row>`
const cell = (reference: string, value = '1') => `<c r="${reference}"><v>${value}</v></c>`
const heading = row('<c t="inlineStr"><is><t>VIN</t></is></c><c t="inlineStr"><is><t>Year</t></is></c>')
const aSheet = (rows: string, more: Partial<Parameters<typeof aWorkbook>[0]> = {}) =>
  aWorkbook({ sheets: [heading + rows], ...more })
const withSheet = (xml: string) => aWorkbook({ sheets: [''], parts: { 'xl/worksheets/sheet1.xml': xml } })
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join('')

/** Billions of characters to whoever believes it. */
const laughs = `<!DOCTYPE worksheet [<!ENTITY l0 "ha">${times(30, (i) => `<!ENTITY l${i + 1} "&l${i};&l${i};">`)}]>
  <worksheet><sheetData>${row('<c t="inlineStr"><is><t>&l30;</t></is></c>')}</sheetData></worksheet>`

function withBrokenDirectory(): Buffer {
  const workbook = anXlsx([['VIN', 'Year']])
  const entry = workbook.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
  return Buffer.concat([workbook.subarray(0, entry), Buffer.alloc(20, 0xff), workbook.subarray(entry + 20)])
}

const overdue = /could not be read within 5 s/
/** On a machine that is busy with other things any file may come to its deadline first. */
const or = (answer: RegExp) => new RegExp(`${answer.source}|${overdue.source}`)

/** A file, and what its sender is told. */
const hostile: Record<string, [file: Buffer, answer: RegExp]> = {
  'a bomb': [aSheet(' '.repeat(16 * 1024 * 1024)), /more than 5 MB/],
  'a bomb that lies about its size': [
    zip(workbookParts({ sheets: [' '.repeat(16 * 1024 * 1024)] }), { 'xl/worksheets/sheet1.xml': 4_000 }),
    /damaged/,
  ],
  'a cell in the last column': [aSheet(row(cell('XFD1048576'), 'r="2"')), /more than 200 columns/],
  'a cell in a column that no spreadsheet has': [aSheet(row(cell('ZZZZZZ2'), 'r="2"')), /damaged/],
  'rows without an end': [
    aSheet(times(90_000, (i) => row(cell(`A${i + 2}`), `r="${i + 2}"`))),
    /more than 10,000 rows/,
  ],
  'a row far below': [aSheet(row(cell('A1048576'), 'r="1048576"')), /more than 10,000 rows/],
  'a long text that many cells show': [
    aSheet(
      times(20_000, (i) => row(`<c t="s"><v>0</v></c>`, `r="${(i % 9_000) + 2}"`)),
      {
        strings: `<si><t>${'long '.repeat(200_000)}</t></si>`,
      },
    ),
    /more than 5 MB/,
  ],
  'tags that are never closed': [withSheet(`<worksheet><sheetData>${'<row><c r="'.repeat(200_000)}`), /damaged/],
  'a cell with a hundred thousand attributes': [
    withSheet(`<worksheet><sheetData><row><c ${times(100_000, (i) => `a${i}="" `)}/></row></sheetData></worksheet>`),
    /damaged/,
  ],
  'entities of entities': [withSheet(laughs), /damaged/],
  'a broken directory': [withBrokenDirectory(), /damaged/],
  'thousands of sheets': [aWorkbook({ sheets: Array.from({ length: 5_000 }, () => heading) }), /more than 2,000 parts/],
  'elements a hundred thousand deep': [withSheet(`${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`), /damaged/],
  'a CSV file of one long line': [Buffer.alloc(6 * 1024 * 1024, 'VIN'), /more than 5 MB/],
  'a CSV file of a million columns': [Buffer.from(`VIN,Year\n${'1,'.repeat(1_000_000)}1\n`), /more than 200 columns/],
  'a CSV file of quotes that end nowhere': [
    Buffer.from(`VIN,Year\n"${'x"'.repeat(1_500_000)}${' '.repeat(1_500_000)},b\n`),
    overdue,
  ],
}

/**
 * For how long the main thread of a process was ready to run and the machine had no processor for it. 0 where the system
 * does not count that.
 */
function starvedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/**
 * Asks a server whether it lives. What counts is how late its own work makes the answer: the time in which the machine ran
 * other things, in the place of the server or of this process, is taken off, so that the limit holds on any machine.
 */
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
    /** How long the latest answer took since it was asked last. */
    async latest(): Promise<number> {
      const made = asks
      asks = []
      return Math.max(...(await Promise.all(made)))
    },
    /** The last ones are answered before the server goes. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await Promise.allSettled(asks)
    },
  }
}

async function preview(seller: Caller, file: Buffer) {
  const { uploadURL, objectId } = await allowUpload(seller, { kind: 'sheet' })
  const sent = await putFile(uploadURL, file, 'text/csv')
  if (!sent.ok) throw new Error(`the upload was refused: ${sent.status} ${await sent.text()}`)
  return seller.post<Partial<ErrorBody & SheetPreview>>('/api/spreadsheets/preview', { objectId })
}

async function importLink(seller: Caller, spreadsheetUrl: string): Promise<SheetReport> {
  const id = await publish(seller, { type: 'spreadsheet', vehicles: [], spreadsheetUrl })
  return until('the import', async () => {
    const { body } = await seller.get<SheetReport>(`/api/inventory/${id}/sheet`)
    return body.state === 'waiting' ? undefined : body
  })
}

t.test('a file made to be slow costs nobody but its sender an answer', async (t) => {
  const files = Object.entries(hostile)
  const host = await startWebsite(t, ({ url }, response) => response.end(files[Number(url?.slice(1))]?.[1][0]))
  const app = await startApp(t, { ROLES: 'api,rt' })
  const node = await startNode(t, app.services, { ROLES: 'api,rt,worker', FETCH_PRIVATE_HOSTS: host })
  const seller = app.on({ ...app, url: node.url }, await app.signIn())
  const harmless = Buffer.from('VIN,Year\n1FTFW1E59NKD69096,2022\n')
  const { latest, stop } = watch(node)
  t.teardown(stop)
  for (const [index, [name, [file, answer]]] of files.entries()) {
    const { status, body } = await preview(seller, file)
    t.match({ status, message: body.error?.message }, { status: 400, message: or(answer) }, `${name}, previewed`)
    t.match(
      await importLink(seller, `http://${host}/${index}`),
      { state: 'failed', error: or(answer) },
      `${name}, linked`,
    )
    const latestMs = Math.round(await latest())
    t.ok(latestMs < answerWithinMs, `${name}: the latest answer to somebody else took ${latestMs} ms`)
  }
  t.equal((await preview(seller, harmless)).body.vehicles?.length, 1, 'and the next file is read')
})
