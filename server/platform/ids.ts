/** A UUID as PostgreSQL reads it. Anything else, `urn:uuid:` before it or only dashes, breaks a statement. */
export const idPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export const isId = (text: string): boolean => idPattern.test(text)
