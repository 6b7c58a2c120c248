import t from 'tap'
import type { AuthStatus } from '#shared/schemas/auth.ts'
import { recheckAuthStatus, createQueryClient } from '#client/lib/query/query-client.ts'
import { authStatusKey } from '#client/lib/query/query-keys.ts'

/** Fakes the browser's shared and exclusive locks, granted in order. */
function grantLocks() {
  let last: Promise<unknown> = Promise.resolve()
  let shared: Promise<unknown> = Promise.resolve()
  return {
    request(_name: string, { mode }: LockOptions, work: () => unknown) {
      if (mode === 'shared') {
        const held = last.then(work)
        shared = Promise.all([shared, held])
        return held
      }
      last = Promise.all([last, shared]).then(work)
      return last
    },
  }
}

t.test('refetches the signed-in dealer after another tab replaced the session', async (t) => {
  const { navigator } = globalThis
  Object.defineProperty(globalThis, 'navigator', { value: { locks: grantLocks() }, configurable: true })
  t.teardown(() => Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true }))
  const [changing, other] = [createQueryClient(() => undefined), createQueryClient(() => undefined)]
  let cookie = 'the ended session'
  const asked: string[] = []
  other.setQueryDefaults(authStatusKey, {
    queryFn: () => {
      asked.push(cookie)
      return { authenticated: cookie === 'the next session' } as AuthStatus
    },
  })
  await other.fetchQuery({ queryKey: authStatusKey })
  const stop = other.getQueryCache().subscribe(() => undefined)
  let answer = () => {}
  const change = changing.getMutationCache().build(changing, {
    mutationFn: async () => {
      await new Promise<void>((resolve) => (answer = resolve))
      cookie = 'the next session'
    },
  })
  const changed = change.execute(undefined)
  // The server has ended the session, but its response has not arrived yet.
  const told = recheckAuthStatus(other).then(() => other.fetchQuery({ queryKey: authStatusKey, staleTime: 0 }))
  await new Promise((resolve) => void setImmediate(resolve))
  t.same(asked, ['the ended session'], 'not yet')
  answer()
  await changed
  t.match(await told, { authenticated: true })
  t.notMatch(asked.slice(1), ['the ended session'])
  stop()
})
