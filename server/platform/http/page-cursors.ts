import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { Id } from '#shared/values.ts'
import { badRequest } from '#server/errors.ts'
import { findUnstorable } from '../storable-text.ts'

/** `at` is a sort value as PostgreSQL prints it. A Date would drop a timestamp's microseconds, and the next page would skip rows. */
export const TimeKey = Type.Object({
  at: Type.String({ maxLength: 40, pattern: '^[0-9T :.+-]+$' }),
  id: Id,
})

/** Encodes the sort key of a page's last row. The row's id must be the last part of the key. */
export function encodeCursor(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** @throws 400 if the cursor was not made by {@link encodeCursor} for this schema */
export function decodeCursor<T extends TSchema>(schema: T, cursor: string): Static<T> {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw badRequest('This page link is not valid. Reload the list')
  }
  if (!Value.Check(schema, value) || findUnstorable(value) !== undefined)
    throw badRequest('This page link is not valid. Reload the list')
  return value
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export function pageAddress(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value))
  return `${path}?${params.toString()}`
}

export const linkTo = (address: string): string => `<${address}>; rel="next"`

export const nextLink = (path: string, query: Query, cursor: string): string =>
  linkTo(pageAddress(path, { ...query, cursor }))
