export function focusPlace(slot: number): void {
  document.querySelector<HTMLElement>(`[data-place="${slot}"]`)?.focus()
}
