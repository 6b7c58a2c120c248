import Type, { type Static } from 'typebox'
import { AdminUserChange, NewAdminUser, WithReason } from './admin.ts'
import { Proof } from './auth.ts'

const proof = Type.Optional(Proof)

/** PATCH /api/admin/users/{id}. Another email or role requires proof from the admin. */
export const ProvenUserChange = Type.Object({ ...AdminUserChange.properties, proof })
export type ProvenUserChange = Static<typeof ProvenUserChange>

/** POST /api/admin/users. Making an admin or ops requires proof from the admin. */
export const ProvenNewUser = Type.Object({ ...NewAdminUser.properties, proof })
export type ProvenNewUser = Static<typeof ProvenNewUser>

/** DELETE /api/admin/users/{id}/sessions, …/sessions/{sessionId} and …/second-factor */
export const ProvenReason = Type.Object({ ...WithReason.properties, proof })
export type ProvenReason = Static<typeof ProvenReason>
