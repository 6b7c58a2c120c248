import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

const controls = 'a[href], button, input, select, textarea'

const controlsOf = (row: Element | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>(controls) ?? []),
]

/**
 * For a list whose rows go away by an act of their own, called where the rows are drawn: the same act of the row that takes the
 * place of one that went with the focus has it then, else the last row's, and without any row the page's main region. `name`: not the
 * act, but what comes first in that row; where an act costs money, a key that is still down does not do it again.
 */
export function useListFocus(lands: 'act' | 'name' = 'act') {
  const list = useRef<HTMLUListElement>(null)
  const held = useRef<{ row: Element; index: number; act: number }>(undefined)
  useLayoutEffect(() => {
    if (!held.current || held.current.row.isConnected) return
    const { index, act } = held.current
    held.current = undefined
    if (document.activeElement !== document.body) return
    const rows = [...(list.current?.children ?? [])]
    const acts = controlsOf(rows[index] ?? rows.at(-1))
    const next = (lands === 'name' ? acts[0] : acts[act]) ?? acts.at(-1) ?? document.getElementById('main')
    next?.focus({ preventScroll: true })
  })
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLUListElement>) => {
    const index = [...currentTarget.children].findIndex((row) => row.contains(target))
    const row = currentTarget.children[index]
    held.current = row && { row, index, act: controlsOf(row).indexOf(target) }
  }
  return { ref: list, onFocus }
}

/**
 * For controls that go away by an act of their own while what is around them stays, called where they are drawn: `land` has the focus
 * then, or the first control in it. Spread what it answers on what holds them.
 */
export function useFocusInPlace(land: RefObject<HTMLElement | null>) {
  const held = useRef<Element>(undefined)
  useLayoutEffect(() => {
    if (held.current === undefined || held.current.isConnected) return
    held.current = undefined
    if (document.activeElement !== document.body || land.current === null) return
    const [next = land.current] = controlsOf(land.current)
    next.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ target }: FocusEvent) => {
      held.current = target
    },
    onBlur: ({ target }: FocusEvent) => {
      if (target.isConnected) held.current = undefined
    },
  }
}
