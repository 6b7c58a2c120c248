/**
 * Where a modal's focus starts: the first field, else the panel itself. Never its close button, which is first in
 * the order and would be pressed by a stray Enter.
 */
export function focusModal(event: Event): void {
  event.preventDefault()
  if (!(event.currentTarget instanceof HTMLElement)) return
  const field = event.currentTarget.querySelector<HTMLElement>(
    '[data-autofocus], input:not([type="file"]):not(:disabled), textarea:not(:disabled)',
  )
  ;(field ?? event.currentTarget).focus()
}
