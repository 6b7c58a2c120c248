import Type, { type Static } from 'typebox'
import { CurrentUser } from './dealers.ts'
import { Email, Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { visiblePattern } from '#shared/visible-text.ts'

export const passwordMin = 12

/** Of a sign-in that waits for its second factor: how long it does, and how many wrong answers end it. */
export const signInWaitsSeconds = 300
export const signInTries = 5
export const passkeysMax = 10
export const recoveryCodesMade = 10

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
/** What an account can answer with beside its password. A recovery code always counts while there is one. */
export const SecondFactors = Type.Object({
  app: Type.Boolean(),
  /** The server's key has changed since the app was set up: its codes cannot be checked, and it has to be set up again. */
  appUnreadable: Type.Boolean(),
  passkey: Type.Boolean(),
  recovery: Type.Boolean(),
})
export type SecondFactors = Static<typeof SecondFactors>

/** GET /api/auth/status */
export const AuthStatus = Type.Object({
  authenticated: Type.Boolean(),
  /** Names the open session, and opens nothing: a browser that logged out of it while the server was away knows it again. */
  session: Nullable(Type.String()),
  /** Test aids (pre-filled credentials, demo login) are shown only where this is true. */
  demo: Type.Boolean(),
  /** Whether plans are paid for. Where they are not, no price is shown, and every dealer has what the Premium Plan gives. */
  billing: Type.Boolean(),
  /** A demo account to fill the sign-in form with; null where there is none. */
  sampleLogin: Nullable(Type.Object({ email: Type.String(), password: Type.String() })),
  /** What the sign-in that waits in this browser can be finished with; null where none waits. */
  secondFactor: Nullable(SecondFactors),
})
export type AuthStatus = Static<typeof AuthStatus>

/** Answer of login, signup and create-dummy. */
export const SignedIn = Type.Object({ user: CurrentUser })
export type SignedIn = Static<typeof SignedIn>

/** Answer (202) of a login whose password was right: no session yet, POST /api/auth/second-factor opens it. */
export const SecondFactorAsked = Type.Object({ secondFactor: SecondFactors })
export type SecondFactorAsked = Static<typeof SecondFactorAsked>

const Encoded = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
const credential = { id: Encoded(1_400), rawId: Encoded(1_400), type: Type.Literal('public-key') }

/** What a passkey has signed (AuthenticationResponseJSON of WebAuthn Level 3, §5.1). */
export const PasskeyAnswer = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: Encoded(4_000),
    authenticatorData: Encoded(4_000),
    signature: Encoded(8_000),
    userHandle: Type.Optional(Encoded(100)),
  }),
})
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

/** A passkey that was just made (RegistrationResponseJSON of WebAuthn Level 3, §5.1). */
export const MadePasskey = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: Encoded(4_000),
    attestationObject: Encoded(100_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
  }),
})
export type MadePasskey = Static<typeof MadePasskey>

/** What the browser's own call takes, as JSON (PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON). */
export const PasskeyOptions = Type.Object({ options: Type.Record(Type.String(), Type.Unknown()) })
export type PasskeyOptions = Static<typeof PasskeyOptions>

/** POST /api/auth/second-factor. `code`: six digits of the app, or a recovery code. */
export const SecondFactorAnswer = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 60 })),
  passkey: Type.Optional(PasskeyAnswer),
})
export type SecondFactorAnswer = Static<typeof SecondFactorAnswer>

/** POST /api/auth/passkeys/sign-in */
export const PasskeySignIn = Type.Object({ passkey: PasskeyAnswer })
export type PasskeySignIn = Static<typeof PasskeySignIn>

/**
 * Proves that the account's owner is asking: the password, or the second factor of an account without a password. An account with
 * neither sends nothing. Its session must be proven, by a sign-in with Google or a mailed link in the last 15 minutes.
 */
export const Proof = Type.Object({
  password: Type.Optional(Type.String({ maxLength: 1_000 })),
  ...SecondFactorAnswer.properties,
})
export type Proof = Static<typeof Proof>

/** POST /api/auth/authenticator: for the app, as text and as what its QR code says (otpauth:). It counts once a code was given. */
export const AuthenticatorSecret = Type.Object({ secret: Type.String(), uri: Type.String() })
export type AuthenticatorSecret = Static<typeof AuthenticatorSecret>

/** POST /api/auth/authenticator/confirm */
export const AuthenticatorCode = Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) })
export type AuthenticatorCode = Static<typeof AuthenticatorCode>

const PasskeyName = Type.String({ minLength: 1, maxLength: 60, pattern: visiblePattern, trim: true })

/** POST /api/auth/passkeys */
export const NewPasskey = Type.Object({ name: PasskeyName, passkey: MadePasskey })
export type NewPasskey = Static<typeof NewPasskey>

/** PATCH /api/auth/passkeys/{id} */
export const PasskeyChange = Type.Object({ name: PasskeyName })
export type PasskeyChange = Static<typeof PasskeyChange>

/** Sent once, when they are made; null where those that were made before still count. */
export const RecoveryCodes = Type.Object({ recoveryCodes: Nullable(Type.Array(Type.String())) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Passkey = Type.Object({
  id: Id,
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
})
export type Passkey = Static<typeof Passkey>

/** Of GET /api/auth/security: what is asked beside the password. */
export const OwnSecondFactor = Type.Object({
  /** The network wants one of this account. */
  required: Type.Boolean(),
  app: oneOf(['off', 'on', 'unreadable']),
  passkeys: Type.Array(Passkey),
  recoveryCodesLeft: Type.Integer(),
})
export type OwnSecondFactor = Static<typeof OwnSecondFactor>
