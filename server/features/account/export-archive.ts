import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { papersOf } from '#server/features/deals/deal-documents.service.ts'
import { filesOf } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/context.ts'
import { paperName, rowsOf } from './export.repository.ts'
import { exportAreas } from './export-tables.ts'
import { listColumns } from './personal-columns.repository.ts'

const endings: Partial<Record<string, string>> = {
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}

const readme = (email: string, at: Date) => `Everything that Lanewire keeps of ${email}, as of ${at.toISOString()}.

Each folder is an area, and each file in it a table, as JSON: a list of rows that are yours, one on each line.
${Object.entries(exportAreas)
  .map(([area, tables]) => `  ${area}/: ${Object.keys(tables).join(', ')}`)
  .join('\n')}

files/uploads/ has the files that you have uploaded, by the id under which files/objects.json lists them: photos in their
largest size, documents and attachments as they came. papers/ has the papers of your deals; deals/deal_documents.json lists them.

Moments are UTC, amounts whole cents. What belongs to others is not in here: what they wrote to you, who viewed you, their bids.
Neither are passwords, keys and the secrets of links, and what is made of other columns, as search words.
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
    // An upload removed just now becomes an empty file.
    yield { name, packed: true, open: async () => (await open())?.body ?? Readable.from([]) }
  }
}

/**
 * Writes all of the dealer's data to a ZIP file in a streaming way, with constant memory. Returns its size in bytes.
 * @throws if aborted; the partial file is not a valid archive
 */
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
  // Avoids an unhandled rejection. The error is thrown below.
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
