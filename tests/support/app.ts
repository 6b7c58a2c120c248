import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Test } from 'tap'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import { loadConfig } from '#server/config/config.ts'
import { hashSecret } from '#server/platform/secrets.ts'
import { type RunningServer, startServer } from '#server/server.ts'
import { connectLive, type LiveClient } from './live-client.ts'
import { patienceMs } from './patience.ts'
import { testServices, type TestServices } from './services.ts'
import { until } from './wait.ts'

export interface Answer<Body = unknown> {
  status: number
  headers: Headers
  body: Body
}

type Send = <Body = unknown>(path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer<Body>>

/** An HTTP and socket client, with or without a session. */
export interface Caller {
  id: string
  cookie: string
  get: Send
  post: Send
  put: Send
  patch: Send
  delete: Send
  live(): Promise<LiveClient>
}

export interface TestApp {
  url: string
  server: RunningServer
  services: TestServices
  visitor: Caller
  /** Creates an account with a complete profile and a session. A dealer also gets the smallest plan, or none with `plan: null`. */
  signIn(
    dealershipName?: string,
    about?: { role?: DealerRole; name?: string; state?: string; city?: string; plan?: string | null },
  ): Promise<Caller>
  on(other: { url: string }, caller: Caller): Caller
  /** Deletes all rows and emails, and closes all open tabs. Keeps rows that migrations created, such as plans and network settings. */
  startOver(): Promise<void>
}

async function toAnswer(response: Response): Promise<Answer<never>> {
  const text = await response.text()
  let body: unknown = text === '' ? undefined : text
  try {
    body = JSON.parse(text)
  } catch {
    // The response is not JSON, so `body` stays plain text.
  }
  return { status: response.status, headers: response.headers, body: body as never }
}

type OpenTab = (url: string, cookie: string) => Promise<LiveClient>

function createCaller(openTab: OpenTab, url: string, id: string, cookie: string): Caller {
  const send =
    (method: string): Send =>
    async (path, body, headers = {}) =>
      toAnswer(
        await fetch(url + path, {
          method,
          redirect: 'manual',
          headers: {
            ...(cookie !== '' && { cookie }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
  return {
    id,
    cookie,
    get: (path, _body, headers) => send('GET')(path, undefined, headers),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
    live: () => openTab(url, cookie),
  }
}

async function insertSignedIn(
  server: RunningServer,
  {
    planId,
    ...about
  }: { dealershipName: string; name: string; role: DealerRole; state: string; city: string; planId: string | null },
): Promise<{ id: string; cookie: string }> {
  const { id } = await server.ctx.db
    .insertInto('dealers')
    .values({ ...about, email: `${randomBytes(8).toString('hex')}@test.example`, profileCompletedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (planId !== null) {
    await server.ctx.db
      .insertInto('subscriptions')
      .values({ dealerId: id, planId, status: 'active', priceCents: 9_900 })
      .execute()
  }
  const secret = randomBytes(32).toString('base64url')
  await server.ctx.db
    .insertInto('sessions')
    .values({ hash: hashSecret(secret), dealerId: id, expiresAt: new Date(Date.now() + 3_600_000) })
    .execute()
  return { id, cookie: `lanewire=${secret}` }
}

// Delete the outbox first: this waits for running jobs, which lock their outbox rows, and keeps other jobs from starting.
const deleteAll = `do $$
  declare name text;
  begin
    perform set_config('session_replication_role', 'replica', true);
    for name in
      select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname not like 'kysely%' and relname not in ('plans', 'add_ons', 'network_settings', 'postal_places', 'retention')
      order by relname <> 'outbox', relname
    loop
      execute format('delete from %I', name);
    end loop;
  end $$`

/** Starts a server. `env` overrides its configuration. Pass the `services` of another app to start a second node of the same system. */
export async function startApp(t: Test, env: Record<string, string> = {}, services?: TestServices): Promise<TestApp> {
  const shared = services ?? (await testServices(t))
  const server = await startServer(
    loadConfig({
      NODE_ENV: 'test',
      PORT: '0',
      DEMO: 'on',
      DEMO_SEED: 'off',
      // Keep demo dealers from acting on their own during a test.
      DEMO_DIRECTOR: 'off',
      LOG_LEVEL: 'fatal',
      RATE_LIMITS: 'off',
      DATABASE_POOL: '5',
      SHUTDOWN_GRACE_MS: String(patienceMs),
      // A test run may be in progress at the backup hour.
      BACKUP_HOUR_UTC: 'off',
      ...shared,
      ...env,
    }),
  )
  t.teardown(() => server.stop('the test is over'))
  const url = `http://127.0.0.1:${server.port}`
  const tabs: LiveClient[] = []
  const openTab: OpenTab = async (...place) => {
    const tab = await connectLive(t, ...place)
    tabs.push(tab)
    return tab
  }
  return {
    url,
    server,
    services: shared,
    visitor: createCaller(openTab, url, '', ''),
    async signIn(
      dealershipName = 'Acme Motors',
      { role = 'dealer', name = 'Alex Acme', state = 'TX', city = 'Dallas', plan = 'basic' } = {},
    ) {
      const { id, cookie } = await insertSignedIn(server, {
        dealershipName,
        name,
        role,
        state,
        city,
        planId: role === 'dealer' ? plan : null,
      })
      return createCaller(openTab, url, id, cookie)
    },
    on: (other, caller) => createCaller(openTab, other.url, caller.id, caller.cookie),
    async startOver() {
      for (const tab of tabs.splice(0)) tab.close()
      // Running jobs may hold row locks, which can cause a deadlock. `transact` retries after a deadlock.
      await server.ctx.transact((tx) => sql.raw(deleteAll).execute(tx))
      // Find learns of changes only through the outbox, so it would miss these deletions.
      server.find.drop()
      await until('the mails under way', async () => (await server.ctx.queues.mail.getActiveCount()) === 0)
      await rm(join(shared.DATA_DIR, 'mail'), { recursive: true, force: true })
    },
  }
}
