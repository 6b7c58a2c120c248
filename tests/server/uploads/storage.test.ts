import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sweepOrphans } from '#server/features/uploads/uploads.jobs.ts'
import { attachUrls } from '#server/features/uploads/uploads.service.ts'
import { openDiskStorage } from '#server/platform/storage/storage-disk.ts'
import { openStorage } from '#server/platform/storage/storage-open.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { startApp } from '#tests/support/app.ts'
import { aPost } from '#tests/support/factories.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { startS3 } from '#tests/support/s3-standin.ts'
import { allowUpload, aPhoto, loadPicture, putFile, settled, upload } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const id = '01a1fb72-db5d-7843-8745-deed3838aa18'

async function keepsItsPromises(t: Test, storage: Storage): Promise<void> {
  const content = Buffer.from('a picture')
  await storage.put(`${id}/320.webp`, content, 'image/webp')
  await storage.put(`${id}/960.webp`, Buffer.from('first'), 'image/webp')
  await storage.put(`${id}/960.webp`, Buffer.from('second'), 'image/webp')
  t.same(await storage.read(`${id}/320.webp`), content)
  t.same(await storage.read(`${id}/960.webp`), Buffer.from('second'), 'writing a key again replaces it completely')
  const opened = await storage.open(`${id}/320.webp`)
  t.equal(opened?.bytes, content.length)
  t.same(Buffer.concat(await (opened?.body.toArray() as Promise<Buffer[]>)), content)
  await storage.putFile(`${id}/data.zip`, 'package.json', 'application/zip')
  t.same(await storage.read(`${id}/data.zip`), await readFile('package.json'), 'a file of this machine, unchanged')
  t.equal(await storage.read(`${id}/2048.webp`), undefined)
  t.equal(await storage.open(`${id}/2048.webp`), undefined)
  t.equal(await storage.copy(`${id}/320.webp`, `${id}/copies/a b.webp`), true)
  t.same(await storage.read(`${id}/copies/a b.webp`), content)
  t.equal(await storage.copy(`${id}/2048.webp`, `${id}/none`), false)
  const path = join(t.testdir(), 'folder', 'copy')
  t.equal(await storage.export(`${id}/320.webp`, path), true)
  t.same(await readFile(path), content)
  t.equal(await storage.export(`${id}/2048.webp`, join(t.testdirName, 'none')), false)
  const listed: string[] = []
  for await (const key of storage.list(`${id}/`)) listed.push(key)
  for (const name of ['320.webp', '960.webp', 'copies/a b.webp', 'data.zip'])
    t.equal(listed.filter((key) => key === `${id}/${name}`).length, 1, name)
  for await (const key of storage.list('another/')) t.fail(key)
  await storage.remove(`${id}/320.webp`)
  await storage.remove(`${id}/320.webp`)
  t.equal(await storage.read(`${id}/320.webp`), undefined)
  await storage.removeObject(id)
  t.equal(await storage.read(`${id}/960.webp`), undefined)
}

t.test('stores files on disk', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-storage-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const storage = await openStorage({ s3: undefined, storageDir: folder })
  await keepsItsPromises(t, storage)
  await storage.put(`${id}/original`, Buffer.from('x'), 'image/png')
  const files = await readdir(folder, { recursive: true })
  t.notOk(
    files.some((name) => name.endsWith('.tmp')),
    'no temporary file remains',
  )
  await t.rejects(async () => storage.read('../../../etc/passwd'), 'a key does not leave the folder')
})

t.test('stores files in an S3-compatible service', async (t) => {
  const { endpoint } = await startS3(t)
  const s3 = { endpoint, region: 'us-east-1', bucket: 'lanewire', accessKeyId: 'key', secretAccessKey: 'secret' }
  await keepsItsPromises(t, await openStorage({ s3, storageDir: '' }))
})

t.test('does not treat files a bucket refuses to delete as removed', async (t) => {
  const bucket = await startS3(t)
  const s3 = { ...bucket, region: 'us-east-1', bucket: 'lanewire', accessKeyId: 'key', secretAccessKey: 'secret' }
  const storage = await openStorage({ s3, storageDir: '' })
  await storage.put(`${id}/320.webp`, Buffer.from('a picture'), 'image/webp')
  bucket.locked = true
  await t.rejects(storage.removeObject(id), { message: /AccessDenied/ })
  bucket.locked = false
  await storage.removeObject(id)
  t.equal(bucket.objects.size, 0)
})

t.test('keeps no partial files on a full disk, however often it retries', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-storage-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const storage = openDiskStorage(folder)
  await storage.put(`${id}/original`, Buffer.from('x'), 'image/png')
  // A file cannot replace a folder, so the final rename fails after the draft has been written.
  await mkdir(join(folder, id.slice(-2), id, '320.webp', 'full'), { recursive: true })
  await t.rejects(storage.put(`${id}/320.webp`, Buffer.from('a picture'), 'image/webp'))
  await t.rejects(storage.putFile(`${id}/320.webp`, 'package.json', 'image/webp'))
  await t.rejects(storage.putFile(`${id}/data.zip`, folder, 'application/zip'), 'nor of a copy that broke off')
  t.same((await readdir(join(folder, id.slice(-2), id))).toSorted(), ['320.webp', 'original'])
})

t.test(
  'reports a faulty disk as unavailable, but not an unreadable file',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'lanewire-storage-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const storage = openDiskStorage(folder)
    await mkdir(join(folder, id.slice(-2), id, 'a folder'), { recursive: true })
    // Reading this link fails with EIO, as on a failing disk.
    await symlink('/proc/self/mem', join(folder, id.slice(-2), id, '320.webp'))
    await t.rejects(storage.read(`${id}/320.webp`), { name: 'StorageAway', message: /EIO/ })
    await t.rejects(storage.read(`${id}/a folder`), { name: 'Error', message: /EISDIR/ })
  },
)

t.test('fails instead of listing only the folders on disk that can be read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-storage-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const keysIn = async (storage: Storage) => {
    const keys: string[] = []
    for await (const key of storage.list()) keys.push(key)
    return keys
  }
  t.same(await keysIn(openDiskStorage(join(folder, 'none'))), [], 'nothing was stored yet')
  const storage = openDiskStorage(folder)
  await storage.put(`${id}/copies/320.webp`, Buffer.from('a picture'), 'image/webp')
  await mkdir(join(folder, 'lost+found'))
  await writeFile(join(folder, '.gitkeep'), '')
  t.same(await keysIn(storage), [`${id}/copies/320.webp`], "neither a folder nor another program's file")
  // A link to itself cannot be read, not even by root.
  for (const link of [join(folder, '0f'), join(folder, id.slice(-2), id.replace('01a1', '01a2'))]) {
    await symlink(link, link)
    await t.rejects(keysIn(storage), { code: 'ELOOP' }, link)
    await rm(link)
  }
  t.equal((await keysIn(storage)).length, 1)
})

t.test('makes files on disk readable for the server only, including license scans', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-storage-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const storage = openDiskStorage(join(folder, 'storage'))
  await storage.put(`${id}/original`, Buffer.from('a scan'), 'image/png')
  await storage.putFile(`${id}/data.zip`, 'package.json', 'application/zip')
  const inside = await readdir(folder, { recursive: true })
  t.equal(inside.length, 5, 'three folders, two files')
  for (const name of inside) t.equal((await stat(join(folder, name))).mode & 0o077, 0, name)
})

t.test('sweeps an upload completely once unavailable storage is back', async (t) => {
  const { endpoint, objects } = await startS3(t)
  const bucket = await proxyTo(t, endpoint)
  const app = await startApp(t, {
    S3_ENDPOINT: bucket.url,
    S3_BUCKET: 'lanewire',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  })
  const seller = await app.signIn()
  await upload(seller, await aPhoto(40, 30))
  t.not(objects.size, 0)
  await app.server.ctx.db
    .updateTable('objects')
    .set({ createdAt: new Date(0) })
    .execute()
  bucket.cut()
  await sweepOrphans(app.server.ctx).catch(() => undefined)
  await until('its row to go', async () => {
    const rows = await app.server.ctx.db.selectFrom('objects').select('id').execute()
    return rows.length === 0
  })
  bucket.heal()
  await sweepOrphans(app.server.ctx)
  await until('its files to go', () => objects.size === 0)
})

t.test('processes, serves and deletes a photo after any storage outage', async (t) => {
  const bucket = await startS3(t)
  const photo = await aPhoto(40, 30)
  const host = await startWebsite(t, (_request, response) => {
    response.setHeader('content-type', 'image/jpeg').end(photo)
  })
  const settings = {
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: 'lanewire',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    FETCH_PRIVATE_HOSTS: host,
  }
  const app = await startApp(t, { ...settings, ROLES: 'api,rt' })
  const seller = await app.signIn()
  const [sent, left, late] = [await allowUpload(seller), await allowUpload(seller), await allowUpload(seller)]
  for (const { uploadURL } of [sent, left]) t.equal((await putFile(uploadURL, photo)).status, 200)
  const { db, transact, queues } = app.server.ctx
  await db.deleteFrom('objects').where('id', '=', left.objectId).execute()
  await db.deleteFrom('outbox').execute()
  bucket.down = true
  t.equal((await putFile(late.uploadURL, photo)).status, 503, 'uploads during the outage get a 503 with Retry-After')
  const linked = await transact(async (tx, emit) => {
    const link = { dealerId: seller.id, kind: 'photo', now: new Date() } as const
    const [url = ''] = await attachUrls(tx, emit, link, [`http://${host}/car.jpg`])
    await emit.job('object.process', { objectId: sent.objectId })
    await emit.job('object.remove', { objectId: left.objectId })
    return url.split('/').at(-1) ?? ''
  })
  await startApp(t, { ...settings, ROLES: 'worker' }, app.services)
  const jobs = await until('each to be tried again', async () => {
    const all = [...(await queues.media.getJobs()), ...(await queues.default.getJobs())]
    const again = all.filter(({ name, attemptsStarted }) => name.startsWith('object.') && attemptsStarted > 1)
    return again.length === 3 ? again : undefined
  })
  t.same(
    jobs.map(({ attemptsMade }) => attemptsMade),
    [0, 0, 0],
    'no attempt is used up',
  )
  bucket.down = false
  for (const objectId of [sent.objectId, linked])
    t.match(await settled(seller, objectId), { state: 'ready', error: null })
  await until('its files to go', () => ![...bucket.objects.keys()].some((key) => key.startsWith(left.objectId)))
})

t.test('passes files through the server to and from an S3-compatible service with access checks', async (t) => {
  const { endpoint, objects } = await startS3(t)
  const app = await startApp(t, {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: 'lanewire',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  })
  const [seller, other] = [await app.signIn(), await app.signIn()]
  const url = await upload(seller, await aPhoto(1_200, 800))
  t.equal(new URL(url).origin, app.url, 'uploads go to our server, not to the bucket')
  const path = `${new URL(url).pathname}?w=320`
  const shown = await seller.get(path)
  t.same([shown.status, shown.headers.get('location')], [200, null], 'downloads are not redirected to the bucket')
  t.match(shown.headers.get('cache-control'), /^private/)
  t.equal((await other.get(path)).status, 404)
  t.equal((await app.visitor.get(path)).status, 401)
  await seller.post('/api/inventory', aPost({ photoUrls: [url] }))
  t.equal((await loadPicture(app, other, path)).status, 200)
  t.same(
    [...objects.keys()].map((key) => key.split('/')[1]).toSorted(),
    ['320.webp', '800.webp'],
    'the original is deleted',
  )
})
