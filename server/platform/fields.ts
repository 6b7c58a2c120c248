import { trimTitle } from '#shared/visible-text.ts'

/** Without the fields that have no value: an absent one says nothing. */
export const stated = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** What was typed, without the blanks around it and without characters that turn the direction of writing. */
export const trimmed = <T extends object>(fields: T) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? trimTitle(value) : value]),
  ) as T
