import Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import { emailMax } from './email.ts'
import { reasonMax, reasonMin } from './limits.ts'

/** A UUID (RFC 9562). Its letters are lowercased, so that equal ids are equal strings. */
export const Id = Type.String({ format: 'uuid', lowerCase: true, description: 'UUID version 7' })

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })

export const Reason = Type.String({ minLength: reasonMin, maxLength: reasonMax })

/** An email address that follows the rules of shared/email.ts. */
export const Email = Type.String({ format: 'email', maxLength: emailMax, trim: true })

export const oneOf = <const T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], ...options }))

/** Allows null. Uses `nullable` instead of a union, because the serializer is several times faster with it. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ ...schema, nullable: true })
