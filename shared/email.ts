// This file is separate from the schemas, so that pages do not bundle the schema library.

/** An address has at most 254 characters, 64 of them before the @ (RFC 5321). */
export const emailMax = 254
const localMax = 64

const word = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/** Matches what a browser's email field accepts, but requires a dot in the domain. ASCII only: other letters can imitate ASCII letters. */
export const emailPattern = `^(?=.{1,${localMax}}@)(?!.{${emailMax + 1}})${word}(?:\\.${word})*@(?:${label}\\.)+${label}$`

const email = new RegExp(emailPattern)

export const isEmail = (text: string): boolean => email.test(text)

export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
