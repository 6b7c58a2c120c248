import { trimTitle } from '#shared/visible-text.ts'

export const stated = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** Trims all strings and removes characters that change the text direction. */
export const trimmed = <T extends object>(fields: T) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? trimTitle(value) : value]),
  ) as T
