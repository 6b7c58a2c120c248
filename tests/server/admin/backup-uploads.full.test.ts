import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startApp, type TestApp } from '#tests/support/app.ts'
import { backUp } from '#tests/support/backups.ts'
import { startS3 } from '#tests/support/s3-standin.ts'
import { emptyDatabase, program } from '#tests/support/services.ts'
import { allowUpload, putFile } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const document = Buffer.from('%PDF-1.4 the bill')

async function aNetwork(app: TestApp) {
  await app.server.ctx.db.deleteFrom('postalPlaces').where('id', '>', 100).execute()
  const [admin, dealer] = [await app.signIn('Lanewire', { role: 'admin' }), await app.signIn()]
  const { uploadURL, objectId } = await allowUpload(dealer, { kind: 'attachment' })
  t.equal((await putFile(uploadURL, document, 'application/pdf')).status, 200)
  return { admin, dealer, path: `/api/objects/${objectId}`, objectId }
}

const restore = (place: string, env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [...program('server/restore'), place], {
    env: { PATH: process.env['PATH'], ...env },
  })

t.test('includes uploads in a backup on disk and restores them with it', async (t) => {
  const app = await startApp(t, { BACKUP_UPLOADS: 'on' })
  const { admin, dealer, path, objectId } = await aNetwork(app)
  const { folder, state } = await backUp(admin)
  t.equal(state, 'verified')
  const files = join(folder ?? '', 'files', objectId)
  const names = await readdir(files)
  t.same(await readFile(join(files, names[0] ?? '')), document)
  t.equal((await stat(join(files, names[0] ?? ''))).mode & 0o077, 0, 'readable only by the server account')
  const [DATABASE_URL, STORAGE_DIR] = [await emptyDatabase(t), t.testdir()]
  const { stdout } = await restore(folder ?? '', { DATABASE_URL, STORAGE_DIR })
  t.match(stdout, /checked against the backup\.\n1 dealer file restored as well\.\n$/)
  const services = { ...app.services, DATABASE_URL, REDIS_PREFIX: `${app.services.REDIS_PREFIX}r` }
  const again = await startApp(t, { ROLES: 'api,rt', STORAGE_DIR }, services)
  t.equal((await app.on(again, dealer).get<string>(path)).body, document.toString())
})

t.test(
  'includes uploads in a backup in the bucket, removes the local copy, restores it, and deletes old ones',
  async (t) => {
    const bucket = await startS3(t)
    const s3 = {
      S3_ENDPOINT: bucket.endpoint,
      S3_BUCKET: 'lanewire',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    }
    const app = await startApp(t, { ...s3, BACKUPS_IN: 'bucket', BACKUP_UPLOADS: 'on', BACKUPS_KEPT: '1' })
    const { admin, dealer, path, objectId } = await aNetwork(app)
    const first = await backUp(admin)
    t.match(first, { state: 'verified', folder: /^s3:\/\/lanewire\/backups\/lanewire-[^/]+$/ })
    t.same(await readdir(join(app.services.DATA_DIR, 'backups')), [], 'nothing remains on the disk')
    const { folder } = await backUp(admin)
    const key = folder?.replace('s3://lanewire/', '') ?? ''
    await until(
      'the older backup to be deleted',
      () => ![...bucket.objects.keys()].some((one) => one.includes(first.folder?.slice(-20) ?? '')),
    )
    const kept = [...bucket.objects.keys()]
      .filter((one) => one.startsWith(`${key}/`))
      .map((one) => one.slice(key.length + 1))
    t.match(kept.toSorted(), [
      '1-pre-data.sql.gz',
      '2-data.sql.gz',
      '3-post-data.sql.gz',
      new RegExp(`^files/${objectId}/`),
      'manifest.json',
    ])
    t.equal(kept.length, 5, 'the next backup excludes backups')

    for (const one of bucket.objects.keys()) if (one.startsWith(`${objectId}/`)) bucket.objects.delete(one)
    const DATABASE_URL = await emptyDatabase(t)
    await t.rejects(restore(folder ?? '', { DATABASE_URL, ...s3, S3_BUCKET: 'another' }), {
      code: 1,
      stderr: 'Set S3_BUCKET to lanewire, where this backup is\n',
    })
    await t.rejects(restore('s3://lanewire/backups/none', { DATABASE_URL, ...s3 }), {
      code: 1,
      stderr: /no complete backup/,
    })
    t.match((await restore(folder ?? '', { DATABASE_URL, ...s3 })).stdout, /1 dealer file restored as well\.\n$/)
    const services = { ...app.services, DATABASE_URL, REDIS_PREFIX: `${app.services.REDIS_PREFIX}r` }
    const again = await startApp(t, { ...s3, ROLES: 'api,rt' }, services)
    t.equal((await app.on(again, dealer).get<string>(path)).body, document.toString())

    bucket.down = true
    t.match(await backUp(admin), { state: 'failed' })
    bucket.down = false
  },
)
