import Type, { type Static } from 'typebox'

/** What a key may do: `read` calls the GET endpoints, `full` all five. */
const apiKeyScopes = ['read', 'full'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Most keys one dealer can hold, and calls one key may make in a minute. */
export const apiKeysPerDealer = 10
export const apiCallsPerMinute = 120

/** POST /api/api-keys */
export const NewApiKey = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  scope: Type.Enum(apiKeyScopes),
})
export type NewApiKey = Static<typeof NewApiKey>

/** A key as listed in the settings: `prefix` is the part that may be shown again. */
export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scope: Type.Enum(apiKeyScopes),
  prefix: Type.String(),
  createdAt: Type.String(),
  lastUsedAt: Type.Union([Type.String(), Type.Null()]),
})
export type ApiKey = Static<typeof ApiKey>

/** The answer to making a key: the only time `secret` is sent. */
export const CreatedApiKey = Type.Object({ key: ApiKey, secret: Type.String() })
export type CreatedApiKey = Static<typeof CreatedApiKey>
