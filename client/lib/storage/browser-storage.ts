import type { Guard } from '../http/type-guards.ts'

/** `local` is shared by all windows of the browser. `session` belongs to this tab. */
type Area = 'local' | 'session'

/** All keys in browser storage. A new key also needs an entry in `holders` (storage.test.tsx) and `keptBy` (store.test.tsx). */
export type StorageKey =
  | 'lanewire.demo-steps'
  | 'lanewire.dismissed-promotions'
  | 'lanewire.dock'
  | 'lanewire.draft'
  | 'lanewire.form'
  | 'lanewire.noticed'
  | 'lanewire.notices'
  | 'lanewire.posting'
  | 'lanewire.push'
  | 'lanewire.push-asked'
  | 'lanewire.recent-searches'
  | 'lanewire.scans'
  | 'lanewire.sent'
  | 'lanewire.signed-out'
  | 'lanewire.theme'
  | 'lanewire.wanted'
  | 'selectedPlan'

interface StoredOptions<Value> {
  key: StorageKey
  area?: Area
  /** Increase this when the shape changes: values with another version are dropped. `plain` stores text without a version. */
  version: number | 'plain'
  isValue: Guard<Value>
}

/** A validated value in browser storage. `of` names a dealer or form, each of which has its own value. */
export interface Stored<Value> {
  key: string
  read: (of?: string) => Value | undefined
  /** Deletes the value if it is undefined. Does nothing if storage is full or blocked. */
  write: (value: Value | undefined, of?: string) => void
  entries: () => [of: string, value: Value][]
  /** Calls the listener when another window writes a value. */
  onChange: (listener: (of: string) => void) => () => void
}

const areas = { local: () => localStorage, session: () => sessionStorage } as const

/** All access to browser storage must use this function. It drops and reports invalid or outdated values, and never throws. */
export function defineStored<Value>({ key, area = 'local', version, isValue }: StoredOptions<Value>): Stored<Value> {
  const prefix = `${key}.`
  const keyOf = (of: string) => (of === '' ? key : prefix + of)
  const ofKey = (name: string) => (name === key ? '' : name.slice(prefix.length))
  const isOwnKey = (name: string) => name === key || name.startsWith(prefix)

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
      return names.filter(isOwnKey).flatMap((name): [string, Value][] => {
        const value = read(ofKey(name))
        return value === undefined ? [] : [[ofKey(name), value]]
      })
    },
    onChange: (listener) => {
      const onStorage = (event: StorageEvent) => {
        if (event.key !== null && isOwnKey(event.key)) listener(ofKey(event.key))
      }
      window.addEventListener('storage', onStorage)
      return () => window.removeEventListener('storage', onStorage)
    },
  }
}

/** Returns undefined if storage throws, for example in a private window, on a full disk, or if the user has blocked it. */
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
