/**
 * Schema pattern for a visible character. Excludes whitespace, control characters, the blank Braille cell, and characters that
 * Unicode ignores for display (zero-width characters, soft hyphens, Hangul fillers).
 */
export const visiblePattern = '[^\\p{White_Space}\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

const visible = new RegExp(visiblePattern, 'u')

export const isBlank = (text: string): boolean => !visible.test(text)

/** Trims the text. Returns an empty string if the text has no visible character. */
export const trimText = (text: string): string => (isBlank(text) ? '' : text.trim())

/** Trims a title or file name and removes bidirectional controls. Without this, `photo_gpj.exe` could be displayed as `photo_exe.jpg`. */
export const trimTitle = (text: string): string => trimText(text.replaceAll(/\p{Bidi_Control}/gu, ''))
