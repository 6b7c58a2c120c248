import Type, { type Static } from 'typebox'
import { CurrentUser } from './dealers.ts'
import { Email, Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { visiblePattern } from '#shared/visible-text.ts'
import { passwordMin } from '#shared/constants/auth.ts'

/** A sign-in that waits for a second factor expires after `signInWaitsSeconds` seconds or `signInTries` wrong answers. */
export const signInWaitsSeconds = 300
export const signInTries = 5
export const passkeysMax = 10

export const Login = Type.Object({
  email: Email,
  password: Type.String({ minLength: 1, maxLength: 1_000 }),
})
export type Login = Static<typeof Login>

export const Signup = Type.Object({
  email: Email,
  password: Type.String({ minLength: passwordMin, maxLength: 1_000 }),
})
export type Signup = Static<typeof Signup>

/** `approval`: anybody can sign up, and an admin then decides. `invitation`: only people whom an admin has invited can join. */
const joinings = ['open', 'approval', 'invitation'] as const
export type Joining = (typeof joinings)[number]
export const Joining = oneOf(joinings)

export const JoiningStatus = Type.Object({
  joining: Joining,
  /** True if there is no admin yet. The server prints the token that /setup requires to create the first admin. */
  needsSetup: Type.Boolean(),
})
export type JoiningStatus = Static<typeof JoiningStatus>

export const Setup = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 100 }),
  name: Type.String({ minLength: 1, maxLength: 120, trim: true }),
  dealershipName: Type.String({ minLength: 1, maxLength: 160, trim: true }),
  ...Signup.properties,
})
export type Setup = Static<typeof Setup>
export const SecondFactors = Type.Object({
  app: Type.Boolean(),
  /** True if the server's key changed after the authenticator app was set up. The app's codes fail until it is set up again. */
  appUnreadable: Type.Boolean(),
  passkey: Type.Boolean(),
  recovery: Type.Boolean(),
})
export type SecondFactors = Static<typeof SecondFactors>

export const AuthStatus = Type.Object({
  authenticated: Type.Boolean(),
  /** Identifies the current session but grants no access. After an offline sign-out, the browser recognizes the session by it. */
  session: Nullable(Type.String()),
  demo: Type.Boolean(),
  google: Type.Boolean(),
  /** True if billing is on. If false, the app shows no prices, and every dealer has the Premium Plan's features. */
  billing: Type.Boolean(),
  sampleLogin: Nullable(Type.Object({ email: Type.String(), password: Type.String() })),
  secondFactor: Nullable(SecondFactors),
})
export type AuthStatus = Static<typeof AuthStatus>

export const SignedIn = Type.Object({ user: CurrentUser })
export type SignedIn = Static<typeof SignedIn>

/** Response (202) to a correct password if the account needs a second factor. POST /api/auth/second-factor completes the sign-in. */
export const SecondFactorAsked = Type.Object({ secondFactor: SecondFactors })
export type SecondFactorAsked = Static<typeof SecondFactorAsked>

const Encoded = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
const credential = { id: Encoded(1_400), rawId: Encoded(1_400), type: Type.Literal('public-key') }

/** Signature of a passkey (AuthenticationResponseJSON of WebAuthn Level 3, section 5.1). */
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

/** A new passkey (RegistrationResponseJSON of WebAuthn Level 3, section 5.1). */
export const MadePasskey = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: Encoded(4_000),
    attestationObject: Encoded(100_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
  }),
})
export type MadePasskey = Static<typeof MadePasskey>

/** Options for the browser's WebAuthn call, as JSON (PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON). */
export const PasskeyOptions = Type.Object({ options: Type.Record(Type.String(), Type.Unknown()) })
export type PasskeyOptions = Static<typeof PasskeyOptions>

/** POST /api/auth/second-factor. `code` is six digits from the authenticator app, or a recovery code. */
export const SecondFactorAnswer = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 60 })),
  passkey: Type.Optional(PasskeyAnswer),
})
export type SecondFactorAnswer = Static<typeof SecondFactorAnswer>

export const PasskeySignIn = Type.Object({ passkey: PasskeyAnswer })
export type PasskeySignIn = Static<typeof PasskeySignIn>

/**
 * Proof of identity: the password or, for an account without one, the second factor. An account with neither sends an empty
 * proof. Its owner must have signed in with Google or opened an emailed link in the last 15 minutes.
 */
export const Proof = Type.Object({
  password: Type.Optional(Type.String({ maxLength: 1_000 })),
  ...SecondFactorAnswer.properties,
})
export type Proof = Static<typeof Proof>

export const WithProof = Type.Object({ proof: Type.Optional(Proof) })
export type WithProof = Static<typeof WithProof>

/** `uri` is an otpauth: URI for the QR code. The secret takes effect once the dealer has entered a code. */
export const AuthenticatorSecret = Type.Object({ secret: Type.String(), uri: Type.String() })
export type AuthenticatorSecret = Static<typeof AuthenticatorSecret>

export const AuthenticatorCode = Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) })
export type AuthenticatorCode = Static<typeof AuthenticatorCode>

const PasskeyName = Type.String({ minLength: 1, maxLength: 60, pattern: visiblePattern, trim: true })

export const NewPasskey = Type.Object({ name: PasskeyName, passkey: MadePasskey })
export type NewPasskey = Static<typeof NewPasskey>

export const PasskeyChange = Type.Object({ name: PasskeyName })
export type PasskeyChange = Static<typeof PasskeyChange>

/** The codes are sent only once, when they are created. Null if earlier codes are still valid. */
export const RecoveryCodes = Type.Object({ recoveryCodes: Nullable(Type.Array(Type.String())) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Passkey = Type.Object({
  id: Id,
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
})
export type Passkey = Static<typeof Passkey>

export const OwnSecondFactor = Type.Object({
  required: Type.Boolean(),
  app: oneOf(['off', 'on', 'unreadable']),
  passkeys: Type.Array(Passkey),
  recoveryCodesLeft: Type.Integer(),
})
export type OwnSecondFactor = Static<typeof OwnSecondFactor>
