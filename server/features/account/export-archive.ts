import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { papersOf } from '#server/features/deals/deal-documents.service.ts'
import { filesOf } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { paperName, rowsOf } from './export.repository.ts'
import { exportAreas } from './export-tables.ts'
import { listColumns } from './personal-columns.repository.ts'

const endings: Partial<Record<string, string>> = {
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}

const readme = (email: string, at: Date) => `Everything Lanewire stores about ${email}, as of ${at.toISOString()}.

Each folder is an area. Each file in it is a table, as a JSON list of your rows with one row per line.
${Object.entries(exportAreas)
  .map(([area, tables]) => `  ${area}/: ${Object.keys(tables).join(', ')}`)
  .join('\n')}

files/uploads/ has the files you uploaded, named by their id in files/objects.json: photos in their largest size, documents
and attachments as uploaded. papers/ has the documents of your deals, listed in deals/deal_documents.json.

Times are in UTC and amounts in whole cents. Data that belongs to others is not included: what they wrote to you, who viewed
you, their bids. Passwords, keys, link secrets and data derived from other columns, such as search words, are not included.
`

async function* jsonOf(batches: AsyncIterable<string[]>) {
  let separator = '[\n'
  for await (const rows of batches)
    for (const row of rows) {
      yield separator + row
      separator = ',\n'
    }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

type Source = () => Readable | Promise<Readable>

async function* entriesOf(
  ctx: Context,
  dealerId: string,
): AsyncGenerator<{ name: string; open: Source; packed?: true }> {
  const columns = await listColumns(ctx.db)
  for (const [area, tables] of Object.entries(exportAreas))
    for (const [table, condition] of Object.entries(tables)) {
      const own = columns.filter((column) => column.table === table)
      const open = () => Readable.from(jsonOf(rowsOf(ctx.db, dealerId, table, condition, own)))
      yield { name: `${area}/${table}.json`, open }
    }
  for await (const { id, read } of papersOf(ctx.db, dealerId))
    yield { name: paperName(id), open: async () => Readable.from([(await read()) ?? Buffer.alloc(0)]) }
  for await (const { id, contentType, open } of filesOf(ctx, dealerId)) {
    const name = `files/uploads/${id}.${endings[contentType] ?? 'bin'}`
    // If the upload was removed in the meantime, write an empty file.
    yield { name, packed: true, open: async () => (await open())?.body ?? Readable.from([]) }
  }
}

/** Streams all of the dealer's data into a ZIP file, using constant memory. Returns the file size in bytes. @throws if `stopping` aborts */
export async function writeExport(
  ctx: Context,
  { dealerId, email }: { dealerId: string; email: string },
  path: string,
  stopping: AbortSignal,
): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const written = pipeline(output, createWriteStream(path, { mode: 0o600 }), { signal: stopping })
  // Avoid an unhandled rejection. The error is still thrown below.
  written.catch(() => undefined)
  zip.addBuffer(Buffer.from(readme(email, ctx.now())), 'README.txt')
  for await (const { name, open, packed } of entriesOf(ctx, dealerId)) {
    stopping.throwIfAborted()
    zip.addReadStreamLazy(name, { compress: packed !== true }, (give) => {
      Promise.resolve(open()).then(
        (stream) => give(null, stream),
        (error: unknown) => output.destroy(error as Error),
      )
    })
  }
  zip.end()
  await written
  return (await stat(path)).size
}

export const removeDraft = (path: string): Promise<void> => rm(path, { force: true })
