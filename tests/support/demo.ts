import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { hashSecret } from '#server/platform/secrets.ts'
import { type Caller, startApp, type TestApp } from './app.ts'
import { cloneDatabase, testEnvironment, testServices } from './services.ts'

/** Starts the demo network. No worker runs, so demo dealers act only when a test makes them act. */
export async function startDemo(t: Test, env: Record<string, string> = {}): Promise<TestApp> {
  const services = { ...(await testServices(t)), DATABASE_URL: await cloneDatabase(t, 'TEST_DEMO_TEMPLATE') }
  const STORAGE_DIR = join(testEnvironment('TEST_DATA_DIR'), 'demo', 'storage')
  return startApp(t, { ROLES: 'api,rt', DEMO_DIRECTOR: 'on', STORAGE_DIR, ...env }, services)
}

export async function quickLogin(app: TestApp): Promise<Caller> {
  const response = await fetch(`${app.url}/api/auth/create-dummy`, { method: 'POST' })
  const { user } = (await response.json()) as { user: CurrentUser }
  const [cookie = ''] = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
  return app.on(app, { ...app.visitor, id: user.id, cookie })
}

export async function signInAs(app: TestApp, email: string): Promise<Caller> {
  const { db } = app.server.ctx
  const { id } = await db.selectFrom('dealers').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const secret = randomUUID()
  const expiresAt = new Date(Date.now() + 3_600_000)
  await db
    .insertInto('sessions')
    .values({ hash: hashSecret(secret), dealerId: id, expiresAt })
    .execute()
  return app.on(app, { ...app.visitor, id, cookie: `lanewire=${secret}` })
}
