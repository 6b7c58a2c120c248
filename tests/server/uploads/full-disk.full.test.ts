import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { startApp } from '#tests/support/app.ts'
import { startNode } from '#tests/support/node-process.ts'
import { mountSmallDisk } from '#tests/support/small-disk.ts'
import { allowUpload, putFile } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const { folder, skip } = await mountSmallDisk(t, 64)

t.test('reports a full disk in one sentence to the uploader and in the log', { skip }, async (t) => {
  const app = await startApp(t, { ROLES: 'worker' })
  const node = await startNode(t, app.services, { STORAGE_DIR: folder, LOG_LEVEL: 'error' })
  const dealer = app.on(node, await app.signIn())
  const { uploadURL } = await allowUpload(dealer, { kind: 'attachment' })
  const sent = await putFile(uploadURL, Buffer.alloc(128 * 1024, '%PDF-'), 'application/pdf')
  t.equal(sent.status, 503)
  t.equal(
    ((await sent.json()) as ErrorBody).error.message,
    "Lanewire's file storage is full. Nothing was changed. Ask the people running this server to free up space.",
  )
  await until('the line in the log', () => node.readLog().includes('The disk of STORAGE_DIR is full'))
})
