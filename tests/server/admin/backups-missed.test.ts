import t from 'tap'
import { watchBackups } from '#server/features/admin/backups/backups-daily.service.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { type Caller, startApp } from '#tests/support/app.ts'

const dayMs = 24 * 3_600_000

t.test(
  'admins are told once where no backup has succeeded for two days, and monitoring how old the last one is',
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
      for (const { server } of [app, app, off]) await watchBackups(server.ctx)
    }
    const { db } = app.server.ctx
    const ago = (days: number) => new Date(Date.now() - days * dayMs)
    const good = { state: 'verified', folder: null, sizeBytes: 1, rowCount: 1, finishedAt: ago(0) } as const
    await look()
    t.same(await toldTo(admin), [], 'a network that was made just now has none yet')

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
    t.same(await toldTo(admin), [], 'the one under way may be it')
    await db
      .updateTable('backups')
      .set({ startedAt: ago(1.5) })
      .where('id', '=', id)
      .execute()
    await look()
    t.match(await toldTo(admin), [{ title: 'No backup has succeeded for two days', path: '/admin' }])
    t.equal((await toldTo(admin)).length, 1, 'once, however many look how often')
    t.same(await toldTo(ops), [], 'who cannot see them is not told')
    t.equal(Math.floor(((await ageAt(app)) ?? 0) / 86_400), 3)
    t.equal(await ageAt(off), undefined, 'where they are switched off, none is missed')

    await db
      .updateTable('backups')
      .set({ ...good, startedAt: ago(0) })
      .where('id', '=', id)
      .execute()
    await look()
    t.equal((await toldTo(admin)).length, 1)
    t.equal(Math.floor(((await ageAt(app)) ?? 86_400) / 86_400), 0, 'as of the moment at which the tables were read')
  },
)
