/** Matches a visible character: no whitespace, control character, blank Braille cell or ignorable character such as a zero-width space. */
export const visiblePattern = '[^\\p{White_Space}\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

const visible = new RegExp(visiblePattern, 'u')

export const isBlank = (text: string): boolean => !visible.test(text)

/** Returns an empty string if the text has no visible character. */
export const trimText = (text: string): string => (isBlank(text) ? '' : text.trim())

/** Removes bidirectional controls, because they could make `photo_gpj.exe` look like `photo_exe.jpg`. */
export const trimTitle = (text: string): string => trimText(text.replaceAll(/\p{Bidi_Control}/gu, ''))
