import { findsParts } from '#shared/search.ts'

/** Adds a hint to the message `text` if the search was too short to match inside words. */
export const nothingFound = (text: string, search: string): string =>
  search.trim() === '' || findsParts(search) ? text : `${text}. Short searches match only the start of a word`
