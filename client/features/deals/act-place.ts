import type { NextAct } from '#shared/schemas/deals.ts'

/** Where on a deal's page something is done: the page marks the place, an address names the act behind its `#`. */
export const placeOfAct = (dealId: string, act: NextAct) => ({ 'data-act': `${act} ${dealId}` })

/** Goes to the place, and into its first field. Nothing where the deal is not on the screen, or has no such place. */
export function showAct(dealId: string, act: string): void {
  const places = [...document.querySelectorAll<HTMLElement>('[data-act]')]
  const place = places.find(({ dataset }) => dataset['act'] === `${act} ${dealId}`)
  place?.scrollIntoView({ block: 'center' })
  place?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true })
}
