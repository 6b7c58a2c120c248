import { randomBytes } from 'node:crypto'
import type { ErrorBody } from '#shared/errors.ts'
import type { AuthenticatorSecret, PasskeyOptions, RecoveryCodes } from '#shared/schemas/auth.ts'
import type { CurrentUser, DealerRole } from '#shared/schemas/dealers.ts'
import type { Answer, Caller, TestApp } from './app.ts'
import { codeOf, createPasskey } from './authenticator.ts'

export const password = 'seven quiet lorries at dawn'

export function cookieOf(answer: Answer, name: 'lanewire' | 'lanewire_second_factor'): string {
  const set = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`))
  return set?.split(';')[0] ?? ''
}

interface Person {
  id: string
  email: string
  caller: Caller
}

interface Guarded extends Person {
  secret: string
  codes: string[]
}

export const finish = (browser: Caller, code: string) => browser.post<ErrorBody>('/api/auth/second-factor', { code })

export function createGuarded(app: TestApp) {
  const { visitor, server } = app
  const as = (cookie: string, at: { url: string } = app): Caller => app.on(at, { ...visitor, cookie })

  async function signUp(role: DealerRole = 'dealer'): Promise<Person> {
    const email = `${randomBytes(6).toString('hex')}@dealer.example`
    const answer = await visitor.post<{ user: CurrentUser }>('/api/auth/signup', { email, password })
    const { id } = answer.body.user
    if (role !== 'dealer') await server.ctx.db.updateTable('dealers').set({ role }).where('id', '=', id).execute()
    return { id, email, caller: { ...as(cookieOf(answer, 'lanewire')), id } }
  }

  /** Creates an account with an authenticator app. Sign in with the next step's code, because the current code is used up. */
  async function withApp(person?: Person): Promise<Guarded> {
    const { caller, ...who } = person ?? (await signUp())
    const { secret } = (await caller.post<AuthenticatorSecret>('/api/auth/authenticator', { proof: { password } })).body
    const confirmed = await caller.post<RecoveryCodes>('/api/auth/authenticator/confirm', { code: codeOf(secret) })
    const cookie = cookieOf(confirmed, 'lanewire') || caller.cookie
    return { ...who, caller: { ...as(cookie), id: who.id }, secret, codes: confirmed.body.recoveryCodes ?? [] }
  }

  async function addPasskey(caller: Caller, name = 'Laptop') {
    const passkey = createPasskey(app.url)
    const options = await caller.post<PasskeyOptions>('/api/auth/passkeys/options', { proof: { password } })
    const added = await caller.post<RecoveryCodes>('/api/auth/passkeys', { name, passkey: passkey.make(options.body) })
    const cookie = cookieOf(added, 'lanewire') || caller.cookie
    return { passkey, added, caller: { ...as(cookie), id: caller.id } }
  }

  const login = (email: string, at: Caller = visitor, word = password) =>
    at.post('/api/auth/login', { email, password: word })

  /** Returns a client whose sign-in is waiting for the second factor. */
  async function halfWay(email: string, at: { url: string } = app, word = password): Promise<Caller> {
    return as(cookieOf(await login(email, as('', at), word), 'lanewire_second_factor'), at)
  }

  return { as, signUp, withApp, addPasskey, login, halfWay }
}
