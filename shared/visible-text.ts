/** Matches a visible character. Whitespace, control characters, the blank Braille cell and soft hyphens, for example, are invisible. */
export const visiblePattern = '[^\\p{White_Space}\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

const visible = new RegExp(visiblePattern, 'u')

export const isBlank = (text: string): boolean => !visible.test(text)

/** Trims whitespace. Returns an empty string if the text has no visible character. */
export const trimText = (text: string): string => (isBlank(text) ? '' : text.trim())

/** Trims the text and removes bidirectional controls, which could make `photo_gpj.exe` look like `photo_exe.jpg`. */
export const trimTitle = (text: string): string => trimText(text.replaceAll(/\p{Bidi_Control}/gu, ''))
