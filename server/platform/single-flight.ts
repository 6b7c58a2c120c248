const entriesMax = 500

interface Entry<T> {
  value: Promise<T>
  /** What `value` came to, once it has. */
  settled?: T
  /** Milliseconds of the clock. */
  until: number
}

/** Values by key for a while; those who ask while one is being made wait for the same one. */
export class SingleFlight<T> {
  readonly #entries = new Map<string, Entry<T>>()
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
      const { value } = entry
      make().then(
        (made) => {
          entry.value = Promise.resolve(made)
          entry.settled = made
        },
        () => undefined,
      )
      return value
    }
    if (this.#entries.size >= entriesMax) this.#entries.clear()
    const fresh: Entry<T> = { value: make(), until: Date.now() + this.#ttlMs }
    this.#entries.set(key, fresh)
    fresh.value.then(
      (made) => (fresh.settled = made),
      () => this.#entries.delete(key),
    )
    return fresh.value
  }

  /** The value as it was last made, however old. */
  known(key: string): T | undefined {
    return this.#entries.get(key)?.settled
  }

  /** Forgets the values, but those that `keep` names only grow old: whoever takes a stale one still gets them. */
  clear(keep: (value: T) => boolean = () => false): void {
    for (const [key, entry] of this.#entries)
      if (entry.settled !== undefined && keep(entry.settled)) entry.until = 0
      else this.#entries.delete(key)
  }
}
