/** Matches any character except whitespace, control characters, the blank Braille cell, and ignorable characters such as soft hyphens. */
export const visiblePattern = '[^\\p{White_Space}\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

const visible = new RegExp(visiblePattern, 'u')

export const isBlank = (text: string): boolean => !visible.test(text)

/** Returns an empty string if the text has no visible character. */
export const trimText = (text: string): string => (isBlank(text) ? '' : text.trim())

/** Removes bidirectional controls, because they could make `photo_gpj.exe` look like `photo_exe.jpg`. */
export const trimTitle = (text: string): string => trimText(text.replaceAll(/\p{Bidi_Control}/gu, ''))
