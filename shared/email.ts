/** Rules for email addresses. They are separate from the schema library, so that pages do not bundle it. */

/** Maximum lengths from RFC 5321: 254 characters in total, 64 before the @. */
export const emailMax = 254
const localMax = 64

const word = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/**
 * Pattern for a single ASCII address, without a display name, list, whitespace or quoted part. The rules are those of a browser's
 * email field, except that the domain needs a dot. Non-ASCII letters are rejected because some look like ASCII letters.
 */
export const emailPattern = `^(?=.{1,${localMax}}@)(?!.{${emailMax + 1}})${word}(?:\\.${word})*@(?:${label}\\.)+${label}$`

const email = new RegExp(emailPattern)

export const isEmail = (text: string): boolean => email.test(text)

export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
