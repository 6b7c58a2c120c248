/** Unlike ajv-formats, rejects spellings that PostgreSQL does not accept, such as a `urn:uuid:` prefix. */
export const idPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export const isId = (text: string): boolean => idPattern.test(text)
