/**
 * A character that shows something: no blank, no control, none that Unicode says to ignore where it cannot be shown (zero-width characters,
 * soft hyphen, Hangul fillers, and so on), and not the blank Braille cell. As a `pattern` of schemas.
 */
export const visiblePattern = '[^\\p{White_Space}\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

const visible = new RegExp(visiblePattern, 'u')

/** Whether a reader would see nothing of it. */
export const isBlank = (text: string): boolean => !visible.test(text)

/** The text without the blanks around it; empty where a reader would see nothing of it. */
export const trimText = (text: string): string => (isBlank(text) ? '' : text.trim())

/**
 * The same for titles and file names, which stand in lines of others' words: without the characters that turn the direction of writing, so
 * that `photo_gpj.exe` cannot show as `photo_exe.jpg`.
 */
export const trimTitle = (text: string): string => trimText(text.replaceAll(/\p{Bidi_Control}/gu, ''))
