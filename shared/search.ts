/** A substring search (trigrams) needs three letters or digits in a row. Shorter searches for dealers match the beginnings of words. */
export const findsParts = (search: string): boolean => /[\p{L}\p{N}]{3}/u.test(search)
