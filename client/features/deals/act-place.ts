import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import { nextActOf } from '#shared/deal-rules.ts'
import type { DealDetail, NextAct } from '#shared/schemas/deals.ts'

/** Where on a deal's page something is done: the page marks the place, an address names the act behind its `#`. */
export const placeOfAct = (dealId: string, act: NextAct) => ({ 'data-act': `${act} ${dealId}` })

/**
 * What acts on a deal goes away once it has acted. The focus that went with it is then on the sentence of the next step, or where a
 * field was, in the next one that the deal asks for.
 */
export function useActFocus(deal: DealDetail) {
  const step = useRef<HTMLParagraphElement>(null)
  const held = useRef<{ control: HTMLElement; inForm: boolean }>(undefined)
  useLayoutEffect(() => {
    if (!held.current || held.current.control.isConnected) return
    const { inForm } = held.current
    held.current = undefined
    if (document.activeElement !== document.body) return
    const act = inForm ? nextActOf(deal) : null
    if (act !== null) showAct(deal.id, act)
    if (document.activeElement === document.body) step.current?.focus({ preventScroll: true })
  }, [deal])
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    held.current = { control: target, inForm: target.closest('form') !== null }
  }
  return { step, onFocus }
}

/** Goes to the place, and into its first field. Nothing where the deal is not on the screen, or has no such place. */
export function showAct(dealId: string, act: string): void {
  const places = [...document.querySelectorAll<HTMLElement>('[data-act]')]
  const place = places.find(({ dataset }) => dataset['act'] === `${act} ${dealId}`)
  place?.scrollIntoView({ block: 'center' })
  place?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true })
}
