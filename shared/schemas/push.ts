import Type, { type Static } from 'typebox'
import { pushEndpointMax, pushLabelMax } from '#shared/limits.ts'
import { Id, Nullable, Timestamp } from '#shared/values.ts'

/** A browser that receives push messages for the signed-in dealer. */
export const PushDevice = Type.Object({
  id: Id,
  label: Type.String(),
  /** True if notifications on this device must not contain names of dealers, vehicles or prices. */
  hideContent: Type.Boolean(),
  /** True for the browser that sent the request. */
  isCurrent: Type.Boolean(),
  createdAt: Timestamp,
  lastOkAt: Nullable(Timestamp),
  /** The last delivery, if it failed. Null if it succeeded. */
  failing: Nullable(Type.Object({ at: Timestamp, reason: Type.String() })),
})
export type PushDevice = Static<typeof PushDevice>

/** `publicKey` is the VAPID public key (RFC 8292) in base64url. */
export const PushState = Type.Object({ publicKey: Type.String(), devices: Type.Array(PushDevice) })
export type PushState = Static<typeof PushState>

const Endpoint = Type.String({ minLength: 1, maxLength: pushEndpointMax })
const Label = Type.String({ minLength: 1, maxLength: pushLabelMax, trim: true })
const Base64Url = (characters: number) =>
  Type.String({ minLength: characters, maxLength: characters + 2, pattern: '^[A-Za-z0-9_-]+={0,2}$' })

/** `endpoint` and `keys` come from the browser's `PushSubscription`. `replaces` is the endpoint of its previous subscription. */
export const RegisterPushDevice = Type.Object(
  {
    endpoint: Endpoint,
    /** `p256dh` is an uncompressed P-256 point with 65 bytes. `auth` has 16 bytes (RFC 8291). */
    keys: Type.Object({ p256dh: Base64Url(87), auth: Base64Url(22) }, { additionalProperties: false }),
    label: Label,
    replaces: Type.Optional(Endpoint),
    /** The setting when this browser's last session ended. If omitted, the device keeps its current setting. */
    hideContent: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type RegisterPushDevice = Static<typeof RegisterPushDevice>

export const PushDevicePatch = Type.Partial(Type.Object({ label: Label, hideContent: Type.Boolean() }), {
  additionalProperties: false,
  minProperties: 1,
})
export type PushDevicePatch = Static<typeof PushDevicePatch>

/** `accepted` means that the push service accepted the test message. */
export const PushTestSent = Type.Object({ status: Type.Literal('accepted') })
export type PushTestSent = Static<typeof PushTestSent>
