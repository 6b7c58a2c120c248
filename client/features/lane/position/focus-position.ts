export function focusPosition(slot: number): void {
  document.querySelector<HTMLElement>(`[data-position="${slot}"]`)?.focus()
}
