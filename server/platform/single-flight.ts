const entriesMax = 500

/** Values by key for a while; those who ask while one is being made wait for the same one. */
export class SingleFlight<T> {
  readonly #entries = new Map<string, { value: Promise<T>; until: number }>()
  readonly #ttlMs: number
  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  /** With `stale`, an old value is answered at once while a new one is being made. */
  get(key: string, make: () => Promise<T>, stale = false): Promise<T> {
    const entry = this.#entries.get(key)
    if (entry !== undefined && entry.until > Date.now()) return entry.value
    if (entry !== undefined && stale) {
      entry.until = Date.now() + this.#ttlMs
      make().then(
        (value) => (entry.value = Promise.resolve(value)),
        () => undefined,
      )
      return entry.value
    }
    if (this.#entries.size >= entriesMax) this.#entries.clear()
    const value = make()
    this.#entries.set(key, { value, until: Date.now() + this.#ttlMs })
    value.catch(() => this.#entries.delete(key))
    return value
  }

  clear(): void {
    this.#entries.clear()
  }
}
