/**
 * Schema pattern for a character that shows something. Excludes whitespace, control characters, the blank Braille cell, and
 * characters Unicode ignores for display (zero-width, soft hyphen, Hangul fillers).
 */
export const visiblePattern = '[^\\p{White_Space}\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

const visible = new RegExp(visiblePattern, 'u')

export const isBlank = (text: string): boolean => !visible.test(text)

/** Trims the text; returns an empty string if it shows nothing. */
export const trimText = (text: string): string => (isBlank(text) ? '' : text.trim())

/** Trims a title or file name and removes bidirectional controls. Without that, `photo_gpj.exe` could be displayed as `photo_exe.jpg`. */
export const trimTitle = (text: string): string => trimText(text.replaceAll(/\p{Bidi_Control}/gu, ''))
