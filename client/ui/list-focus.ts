import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

const controls = 'a[href], button, input, select, textarea'

const controlsOf = (row: Element | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>(controls) ?? []),
]

/**
 * Keeps focus in a list if an action removes its own row. Focus moves to the same action in the next or last row, else to `main`.
 * With `name`, focus moves to the next row's first control, so that a key still held down does not spend money twice.
 */
export function useListFocus(focusOn: 'act' | 'name' = 'act') {
  const list = useRef<HTMLUListElement>(null)
  const held = useRef<{ row: Element; index: number; act: number }>(undefined)
  useLayoutEffect(() => {
    if (!held.current || held.current.row.isConnected) return
    const { index, act } = held.current
    held.current = undefined
    if (document.activeElement !== document.body) return
    const rows = [...(list.current?.children ?? [])]
    const acts = controlsOf(rows[index] ?? rows.at(-1))
    const next = (focusOn === 'name' ? acts[0] : acts[act]) ?? acts.at(-1) ?? document.getElementById('main')
    next?.focus({ preventScroll: true })
  })
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLUListElement>) => {
    const index = [...currentTarget.children].findIndex((row) => row.contains(target))
    const row = currentTarget.children[index]
    held.current = row && { row, index, act: controlsOf(row).indexOf(target) }
  }
  return { ref: list, onFocus }
}

/** If an action removes its own control, moves focus into `land`. Spread the result onto the container of the controls. */
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
