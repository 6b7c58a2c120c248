import type { Guard } from './guards.ts'

/** What this browser (`local`) or this tab (`session`) keeps. */
type Area = 'local' | 'session'

interface StoredOptions<Value> {
  key: string
  area?: Area
  /** Raised with the shape: what another version wrote is dropped. `plain`: bare text under the key, for who else reads it. */
  version: number | 'plain'
  isValue: Guard<Value>
}

/** A value in the browser's storage, or one for each `of` (a dealer, a form): never read without being looked at. */
export interface Stored<Value> {
  key: string
  /** Undefined: nothing is kept, or nothing that could be used. */
  read: (of?: string) => Value | undefined
  /** Undefined forgets it. A full or forbidden store keeps nothing: the value then lives as long as the page. */
  write: (value: Value | undefined, of?: string) => void
  /** All that are kept, by their `of`. */
  entries: () => [of: string, value: Value][]
  /** Hears what other windows of this browser write. Answers how to stop. */
  onChange: (listener: (of: string) => void) => () => void
}

const areas = { local: () => localStorage, session: () => sessionStorage } as const

/** The only way to localStorage and sessionStorage: what is corrupt, foreign or old is dropped and reported, nothing throws. */
export function defineStored<Value>({ key, area = 'local', version, isValue }: StoredOptions<Value>): Stored<Value> {
  const prefix = `${key}.`
  const keyOf = (of: string) => (of === '' ? key : prefix + of)
  const ofKey = (name: string) => (name === key ? '' : name.slice(prefix.length))
  const isOurs = (name: string) => name === key || name.startsWith(prefix)

  const read = (of = ''): Value | undefined => {
    const name = keyOf(of)
    const text = withStore(area, (store) => store.getItem(name)) ?? undefined
    if (text === undefined) return undefined
    const value = version === 'plain' ? text : valueOf(text, version)
    if (isValue(value)) return value
    withStore(area, (store) => store.removeItem(name))
    reportError(new Error(`${area}Storage held nothing usable under ${name}`))
    return undefined
  }
  return {
    key,
    read,
    write: (value, of = '') => {
      const text = version === 'plain' ? String(value) : JSON.stringify({ version, value })
      withStore(area, (store) => (value === undefined ? store.removeItem(keyOf(of)) : store.setItem(keyOf(of), text)))
    },
    entries: () => {
      const names = withStore(area, (store) => Object.keys({ ...store })) ?? []
      return names.filter(isOurs).flatMap((name): [string, Value][] => {
        const value = read(ofKey(name))
        return value === undefined ? [] : [[ofKey(name), value]]
      })
    },
    onChange: (listener) => {
      const hear = (event: StorageEvent) => {
        if (event.key !== null && isOurs(event.key)) listener(ofKey(event.key))
      }
      window.addEventListener('storage', hear)
      return () => window.removeEventListener('storage', hear)
    },
  }
}

/** Private windows, a full disk and a browser's settings may refuse each of these. */
function withStore<Answer>(area: Area, run: (store: Storage) => Answer): Answer | undefined {
  try {
    return run(areas[area]())
  } catch {
    return undefined
  }
}

function valueOf(text: string, version: number): unknown {
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept !== 'object' || kept === null || !('version' in kept) || !('value' in kept)) return undefined
    return kept.version === version ? kept.value : undefined
  } catch {
    return undefined
  }
}
