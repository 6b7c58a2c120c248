/** What one e-mail address is, on both sides. Apart from the schemas, so that a page needs no schema library. */

/** The longest one that a mail server takes, and the longest part before the @. */
export const emailMax = 254
const localMax = 64

const word = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/**
 * One bare address in plain letters: no name around it, no list, no blanks, nothing quoted. What an email field of a
 * browser takes, with a dot in the domain. Letters of other alphabets are refused, since some of them look like these.
 */
export const emailPattern = `^(?=.{1,${localMax}}@)(?!.{${emailMax + 1}})${word}(?:\\.${word})*@(?:${label}\\.)+${label}$`

const email = new RegExp(emailPattern)

export const isEmail = (text: string): boolean => email.test(text)

/** Addresses differ in more than the case of their letters. */
export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
