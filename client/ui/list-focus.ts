import { type FocusEvent, useLayoutEffect, useRef } from 'react'

const controls = 'a[href], button, input, select, textarea'

const controlsOf = (row: Element | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>(controls) ?? []),
]

/**
 * For a list whose rows go away by an act of their own, called where the rows are drawn: the same act of the row that takes the
 * place of one that went with the focus has it then, else the last row's, and without any row the page's main region.
 */
export function useListFocus() {
  const list = useRef<HTMLUListElement>(null)
  const held = useRef<{ row: Element; index: number; act: number }>(undefined)
  useLayoutEffect(() => {
    if (!held.current || held.current.row.isConnected) return
    const { index, act } = held.current
    held.current = undefined
    if (document.activeElement !== document.body) return
    const rows = [...(list.current?.children ?? [])]
    const acts = controlsOf(rows[index] ?? rows.at(-1))
    const next = acts[act] ?? acts.at(-1) ?? document.getElementById('main')
    next?.focus({ preventScroll: true })
  })
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLUListElement>) => {
    const index = [...currentTarget.children].findIndex((row) => row.contains(target))
    const row = currentTarget.children[index]
    held.current = row && { row, index, act: controlsOf(row).indexOf(target) }
  }
  return { ref: list, onFocus }
}
