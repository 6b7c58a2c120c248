/**
 * Three letters or digits in a row, the least that finds parts of words. A search for dealers without them finds the words
 * that begin with it.
 */
export const findsParts = (search: string): boolean => /[\p{L}\p{N}]{3}/u.test(search)
