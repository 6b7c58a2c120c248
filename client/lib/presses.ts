import { defineSlice } from './slice.ts'

/** By toggle: what the server holds of it, and how many presses it has not answered yet. */
const presses = defineSlice<{ byName: Record<string, { held: unknown; waiting: number }> }>('presses', () => ({
  byName: {},
}))

/**
 * Toggles that are shown as pressed before the server has answered. Where it refuses, what it holds is shown, however often was
 * pressed meanwhile: not the opposite of the last press, which may be one that it refused as well.
 */
export function definePresses<Held>(kind: string) {
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
    /** @param held what is shown before the press */
    begin(id: string, held: Held) {
      const { held: known, waiting } = presses.get().byName[`${kind}.${id}`] ?? { held, waiting: 0 }
      presses.set(({ byName }) => void (byName[`${kind}.${id}`] = { held: known, waiting: waiting + 1 }))
    },
    /** @param held what the server holds by now */
    taken: (id: string, held: Held): void => void end(id, { held }),
    /** Shows what the server holds, unless a later press, which it has not answered yet, is shown. */
    refused(id: string, show: (held: Held) => void) {
      const ended = end(id)
      if (ended?.isLast) show(ended.held as Held)
    },
  }
}
