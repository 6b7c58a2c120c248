import Type, { type Static } from 'typebox'
import { CurrentUser } from './dealers.ts'
import { Email, Nullable, oneOf } from '#shared/values.ts'

export const passwordMin = 12

/** POST /api/auth/login */
export const Login = Type.Object({
  email: Email,
  password: Type.String({ minLength: 1, maxLength: 1_000 }),
})
export type Login = Static<typeof Login>

/** POST /api/auth/signup: at least 12 characters; common passwords are refused by the server. */
export const Signup = Type.Object({
  email: Email,
  password: Type.String({ minLength: passwordMin, maxLength: 1_000 }),
})
export type Signup = Static<typeof Signup>

/**
 * Who may join. `open`: everybody. `approval`: everybody may sign up and fill in a profile, and waits for an admin. `invitation`:
 * only whom an admin has invited.
 */
const joinings = ['open', 'approval', 'invitation'] as const
export type Joining = (typeof joinings)[number]
export const Joining = oneOf(joinings)

/** GET /api/auth/joining: what somebody at the door wants to know. */
export const AtTheDoor = Type.Object({
  joining: Joining,
  /** There is no admin yet: whoever has the token that the server prints makes the first one at /setup. */
  needsSetup: Type.Boolean(),
})
export type AtTheDoor = Static<typeof AtTheDoor>

/** POST /api/auth/setup: the first admin, once. `token` is what the server prints while there is none. */
export const Setup = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 100 }),
  name: Type.String({ minLength: 1, maxLength: 120, trim: true }),
  dealershipName: Type.String({ minLength: 1, maxLength: 160, trim: true }),
  ...Signup.properties,
})
export type Setup = Static<typeof Setup>

/** GET /api/auth/status */
export const AuthStatus = Type.Object({
  authenticated: Type.Boolean(),
  /** Names the open session, and opens nothing: a browser that logged out of it while the server was away knows it again. */
  session: Nullable(Type.String()),
  /** Test aids (pre-filled credentials, demo login) are shown only where this is true. */
  demo: Type.Boolean(),
  /** A demo account to fill the sign-in form with; null where there is none. */
  sampleLogin: Nullable(Type.Object({ email: Type.String(), password: Type.String() })),
})
export type AuthStatus = Static<typeof AuthStatus>

/** Answer of login, signup and create-dummy. */
export const SignedIn = Type.Object({ user: CurrentUser })
export type SignedIn = Static<typeof SignedIn>
