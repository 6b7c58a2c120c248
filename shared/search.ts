/** True if trigrams can find the text inside words, which takes three letters or digits in a row. */
export const findsParts = (search: string): boolean => /[\p{L}\p{N}]{3}/u.test(search)
