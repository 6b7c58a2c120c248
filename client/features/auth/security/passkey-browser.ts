import type { MadePasskey, PasskeyAnswer, PasskeyOptions } from '#shared/schemas/auth.ts'

const webAuthn = () => import('@simplewebauthn/browser')
type WebAuthn = Awaited<ReturnType<typeof webAuthn>>

/** Messages for the browser's errors, by error name (WebAuthn Level 3, §5.1.3 and §5.1.4). */
const reasons: Record<string, string> = {
  NotAllowedError: 'The passkey request was cancelled or timed out. Try again',
  InvalidStateError: 'This device already has a passkey for your account',
  SecurityError: 'Passkeys do not work at this address. Ask the person running this server',
  NotSupportedError: 'This device cannot create a passkey that works here',
}

const unsupportedText = 'This browser does not support passkeys. Sign in another way or use another browser'

async function withReadableErrors<Answer>(ask: (library: WebAuthn) => Promise<Answer>): Promise<Answer> {
  const library = await webAuthn()
  if (!library.browserSupportsWebAuthn()) throw new Error(unsupportedText)
  try {
    return await ask(library)
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw new Error(reasons[name] ?? 'The passkey could not be used. Try again', { cause: error })
  }
}

/** Asks the browser to sign with a passkey. @throws Error with a message for the user */
export async function signWithPasskey({ options }: PasskeyOptions): Promise<PasskeyAnswer> {
  type Options = Parameters<WebAuthn['startAuthentication']>[0]['optionsJSON']
  const { id, rawId, type, response } = await withReadableErrors((library) =>
    library.startAuthentication({ optionsJSON: options as unknown as Options }),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    id,
    rawId,
    type,
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
  }
}

/** Asks the browser to create a passkey. @throws Error with a message for the user */
export async function makePasskey({ options }: PasskeyOptions): Promise<MadePasskey> {
  type Options = Parameters<WebAuthn['startRegistration']>[0]['optionsJSON']
  const { id, rawId, type, response } = await withReadableErrors((library) =>
    library.startRegistration({ optionsJSON: options as unknown as Options }),
  )
  const { clientDataJSON, attestationObject, transports } = response
  return { id, rawId, type, response: { clientDataJSON, attestationObject, ...(transports && { transports }) } }
}
