import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { Id } from '#shared/values.ts'
import { badRequest } from '#server/errors.ts'
import { findUnstorable } from './storable.ts'

/** `at` is ISO text with PostgreSQL's microseconds: a Date would round them away and skip rows. */
export const TimeKey = Type.Object({
  at: Type.String({ maxLength: 40, pattern: '^[0-9T :.+-]+$' }),
  id: Id,
})

/** Opaque cursor of a keyset page: the sort key of its last row, id last. */
export function encodeCursor(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** @throws AppError 400 when the cursor was not made by {@link encodeCursor} for this sort. */
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

/** The address of a question, with the cursor of a further page in it. */
export function pageAddress(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value))
  return `${path}?${params.toString()}`
}

/** The Link header of a page that has another behind it. */
export const linkTo = (address: string): string => `<${address}>; rel="next"`

/** The same, where it is the same question with the cursor in it. */
export const nextLink = (path: string, query: Query, cursor: string): string =>
  linkTo(pageAddress(path, { ...query, cursor }))
