import Type from 'typebox'
import { Id } from '#shared/values.ts'

/** The path names one thing by its id. */
export const ById = Type.Object({ id: Id })

/** The answer that says no more than that it is done. */
export const nothing = { 204: Type.Null() }

/** A UUID the client makes once per intention; a repeated request gives the first answer again. */
export const IdempotencyKey = Type.Object({ 'idempotency-key': Type.Optional(Id) })
