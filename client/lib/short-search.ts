import { findsParts } from '#shared/search.ts'

/** What is said where a search for dealers finds nobody, with what so short a search leaves out. */
export const nothingFound = (said: string, search: string): string =>
  search.trim() === '' || findsParts(search) ? said : `${said}. Short searches match only the start of a word`
