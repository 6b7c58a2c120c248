/** Moves focus to a position, by its number. */
export function focusPlace(slot: number): void {
  document.querySelector<HTMLElement>(`[data-place="${slot}"]`)?.focus()
}
