import t from 'tap'
import { checkBackups } from '#server/features/admin/backups/backups-daily.service.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { type Caller, startApp } from '#tests/support/app.ts'

const dayMs = 24 * 3_600_000

t.test(
  'notifies admins once when no backup has succeeded for two days, and reports its age to monitoring',
  async (t) => {
    const env = {
      BACKUP_HOUR_UTC: String(new Date().getUTCHours()),
      METRICS_TOKEN: 'a-token-of-sixteen',
      ROLES: 'api,rt',
    }
    const app = await startApp(t, env)
    const off = await startApp(t, { ...env, BACKUP_HOUR_UTC: 'off' }, app.services)
    const [admin, ops] = [await app.signIn('Lanewire', { role: 'admin' }), await app.signIn('Ops', { role: 'ops' })]
    const toldTo = async (caller: Caller) => (await caller.get<NotificationsPage>('/api/notifications')).body.items
    const ageAt = async ({ visitor }: typeof app) => {
      const headers = { authorization: 'Bearer a-token-of-sixteen' }
      const { body } = await visitor.get<string>('/metrics', undefined, headers)
      const [, age] = /^lanewire_backup_verified_age_seconds (\S+)$/m.exec(body) ?? []
      return age === undefined ? undefined : Number(age)
    }
    const look = async () => {
      for (const { server } of [app, app, off]) await checkBackups(server.ctx)
    }
    const { db } = app.server.ctx
    const ago = (days: number) => new Date(Date.now() - days * dayMs)
    const good = { state: 'verified', folder: null, sizeBytes: 1, rowCount: 1, finishedAt: ago(0) } as const
    await look()
    t.same(await toldTo(admin), [], 'a new network needs none yet')

    await db
      .insertInto('backups')
      .values({ ...good, startedAt: ago(3) })
      .execute()
    const running = db
      .insertInto('backups')
      .values({ startedAt: ago(0.5) })
      .returning('id')
    const { id } = await running.executeTakeFirstOrThrow()
    await look()
    t.same(await toldTo(admin), [], 'the running backup may succeed')
    await db
      .updateTable('backups')
      .set({ startedAt: ago(1.5) })
      .where('id', '=', id)
      .execute()
    await look()
    t.match(await toldTo(admin), [{ title: 'No backup has succeeded for two days', path: '/admin' }])
    t.equal((await toldTo(admin)).length, 1, 'one notification, however often it is checked')
    t.same(await toldTo(ops), [], 'staff who cannot see backups get no notification')
    t.equal(Math.floor(((await ageAt(app)) ?? 0) / 86_400), 3)
    t.equal(await ageAt(off), undefined, 'none is missed where backups are off')

    await db
      .updateTable('backups')
      .set({ ...good, startedAt: ago(0) })
      .where('id', '=', id)
      .execute()
    await look()
    t.equal((await toldTo(admin)).length, 1)
    t.equal(Math.floor(((await ageAt(app)) ?? 86_400) / 86_400), 0, 'counted from the time when the tables were read')
  },
)
