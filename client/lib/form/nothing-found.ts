import { findsParts } from '#shared/search.ts'

/** Text for a dealer search without results. Says so if the search was too short to match inside words. */
export const nothingFound = (said: string, search: string): string =>
  search.trim() === '' || findsParts(search) ? said : `${said}. Short searches match only the start of a word`
