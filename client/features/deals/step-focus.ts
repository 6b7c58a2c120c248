import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import { nextActOf } from '#shared/deal-rules.ts'
import type { DealDetail, NextAct } from '#shared/schemas/deals.ts'

/** Marks where an action is on a deal's page. The hash of a link to the action is the action's name. */
export const stepMark = (dealId: string, act: NextAct) => ({ 'data-act': `${act} ${dealId}` })

/** When an action removes its own control, moves focus to the next step's text or to the next field. */
export function useStepFocus(deal: DealDetail) {
  const step = useRef<HTMLParagraphElement>(null)
  const held = useRef<{ control: HTMLElement; inForm: boolean }>(undefined)
  useLayoutEffect(() => {
    if (!held.current || held.current.control.isConnected) return
    const { inForm } = held.current
    held.current = undefined
    if (document.activeElement !== document.body) return
    const act = inForm ? nextActOf(deal) : null
    if (act !== null) showStep(deal.id, act)
    if (document.activeElement === document.body) step.current?.focus({ preventScroll: true })
  }, [deal])
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    held.current = { control: target, inForm: target.closest('form') !== null }
  }
  return { step, onFocus }
}

export function showStep(dealId: string, act: string): void {
  const places = [...document.querySelectorAll<HTMLElement>('[data-act]')]
  const place = places.find(({ dataset }) => dataset['act'] === `${act} ${dealId}`)
  place?.scrollIntoView({ block: 'center' })
  place?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true })
}
