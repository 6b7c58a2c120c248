import Type from 'typebox'
import { Id } from '#shared/values.ts'

export const ById = Type.Object({ id: Id })

export const nothing = { 204: Type.Null() }

/** The client creates a UUID once per action. A repeated request gets the first response again. */
export const IdempotencyKey = Type.Object({ 'idempotency-key': Type.Optional(Id) })
