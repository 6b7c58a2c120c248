import { findsParts } from '#shared/search.ts'

/** Text for a dealer search without results. Says so if the search was too short to match inside words. */
export const nothingFound = (said: string, search: string): string =>
  search.trim() === '' || findsParts(search) ? said : `${said}; so short a search finds only the beginnings of words`
