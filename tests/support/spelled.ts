/** Whether a text holds this number on its own, not a run of digits of an id: a random one holds any four sooner or later. */
export const says = (text: string, number: string): boolean => new RegExp(`(?<![\\w.-])${number}(?![\\w-])`).test(text)
