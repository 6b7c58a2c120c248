/** PostgreSQL accepts other spellings of a UUID, too, but a `urn:uuid:` prefix would make a statement fail. */
export const idPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export const isId = (text: string): boolean => idPattern.test(text)
