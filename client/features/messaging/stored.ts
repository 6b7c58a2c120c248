/** Of everything that messaging keeps in the browser. What another version wrote is dropped. */
export const storedVersion = 1

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** What was kept under this name. A value that cannot be read is dropped, told to the log, and counts as none. */
export function readStored<Value>(
  storage: Pick<Storage, 'getItem' | 'removeItem'>,
  key: string,
  isValue: (value: unknown) => value is Value,
): Value | undefined {
  try {
    const raw = storage.getItem(key)
    if (raw === null) return undefined
    const stored = parsed(raw)
    if (isRecord(stored) && stored['version'] === storedVersion && isValue(stored['value'])) return stored['value']
    storage.removeItem(key)
    reportError(new Error(`What was kept as ${key} could not be read`))
  } catch {
    // A browser that keeps nothing.
  }
  return undefined
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** A full or forbidden storage keeps nothing: what it was lives as long as the page. */
export function writeStored(storage: Pick<Storage, 'setItem'>, key: string, value: object): void {
  try {
    storage.setItem(key, JSON.stringify({ version: storedVersion, value }))
  } catch {
    // Said above.
  }
}
