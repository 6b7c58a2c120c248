/** True if the text contains the number, but not as part of a random id. */
export const says = (text: string, number: string): boolean => new RegExp(`(?<![\\w.-])${number}(?![\\w-])`).test(text)
