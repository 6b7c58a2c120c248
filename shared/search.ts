/**
 * True if the text has three letters or digits in a row, the minimum for a substring search (trigrams). Shorter searches for
 * dealers match the beginnings of words.
 */
export const findsParts = (search: string): boolean => /[\p{L}\p{N}]{3}/u.test(search)
