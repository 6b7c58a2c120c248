import Type, { type Static } from 'typebox'

/** GET /api/ops/health: the services the product stands on, each asked when the call is made. */
export const SystemHealth = Type.Object({
  ok: Type.Boolean(),
  parts: Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() })),
})
export type SystemHealth = Static<typeof SystemHealth>
