import { defineSlice } from '../storage/store-slice.ts'

const presses = defineSlice<{ byName: Record<string, { held: unknown; waiting: number }> }>('presses', () => ({
  byName: {},
}))

/** Creates optimistic toggles. After an error, a toggle shows the server's value, not the opposite of the last press. */
export function defineOptimisticToggle<Held>(kind: string) {
  const end = (id: string, change?: { held: Held }): { held: unknown; isLast: boolean } | undefined => {
    const name = `${kind}.${id}`
    const entry = presses.get().byName[name]
    if (entry === undefined) return undefined
    const { held } = change ?? entry
    const waiting = entry.waiting - 1
    presses.set(({ byName }) => {
      if (waiting > 0) byName[name] = { held, waiting }
      else delete byName[name]
    })
    return { held, isLast: waiting === 0 }
  }
  return {
    begin(id: string, held: Held) {
      const { held: known, waiting } = presses.get().byName[`${kind}.${id}`] ?? { held, waiting: 0 }
      presses.set(({ byName }) => void (byName[`${kind}.${id}`] = { held: known, waiting: waiting + 1 }))
    },
    taken: (id: string, held: Held): void => void end(id, { held }),
    /** Shows the server's value, unless a later press still waits for its response. */
    refused(id: string, show: (held: Held) => void) {
      const ended = end(id)
      if (ended?.isLast) show(ended.held as Held)
    },
  }
}
