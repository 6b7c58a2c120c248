import Type from 'typebox'
import { Id } from '#shared/values.ts'

export const ById = Type.Object({ id: Id })

export const nothing = { 204: Type.Null() }

/** A UUID that the client creates once per action. A retry with the same key gets the first response again. */
export const IdempotencyKey = Type.Object({ 'idempotency-key': Type.Optional(Id) })
