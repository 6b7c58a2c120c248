/**
 * True if the text has three letters or digits in a row, the minimum for substring search (trigrams). Shorter dealer searches
 * match prefixes of words.
 */
export const findsParts = (search: string): boolean => /[\p{L}\p{N}]{3}/u.test(search)
