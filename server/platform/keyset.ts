import Value from 'typebox/value'
import type { Static, TSchema } from 'typebox'
import { badRequest } from '#server/errors.ts'
import { findUnstorable } from './storable.ts'

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
    throw badRequest('This page link is not valid; reload the list')
  }
  if (!Value.Check(schema, value) || findUnstorable(value) !== undefined)
    throw badRequest('This page link is not valid; reload the list')
  return value
}

/** The Link header of a page that has another behind it: the same question with the cursor in it. */
export function nextLink(path: string, query: Readonly<Record<string, unknown>>, cursor: string): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor }))
    if (value !== undefined) params.set(name, String(value))
  return `<${path}?${params.toString()}>; rel="next"`
}
