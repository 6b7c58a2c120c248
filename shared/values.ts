import Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import { emailMax } from './email.ts'
import { reasonMax, reasonMin } from './limits.ts'

/** A UUID (RFC 9562). The server takes capitals and keeps small letters, so that equal ids are equal texts. */
export const Id = Type.String({ format: 'uuid', lowerCase: true, description: 'UUID version 7' })

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })

/** Why an admin does something: kept in the audit log, shown to the dealer where the dealer is told. */
export const Reason = Type.String({ minLength: reasonMin, maxLength: reasonMax })

/** One e-mail address by the rule of shared/email.ts, for every call that takes one; blanks around it are taken off. */
export const Email = Type.String({ format: 'email', maxLength: emailMax, trim: true })

/** One of a fixed list of words. */
export const oneOf = <const T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], ...options }))

/** The value or null. `nullable` rather than a union: the serialiser is several times faster with it. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ ...schema, nullable: true })
