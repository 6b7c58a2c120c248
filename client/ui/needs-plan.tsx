import type { ReactNode } from 'react'
import { type PlanNeed, remedyFor } from '#client/lib/session/plan-refusal.ts'
import { ButtonLink } from './button-link.tsx'
import { EmptyState } from './empty-state.tsx'

/** Replaces content that the dealer's plan does not include, and links to the page where the plan can be changed. */
export function NeedsPlan({ need, icon }: { need: PlanNeed; icon: ReactNode }) {
  const { title, path, label } = remedyFor(need)
  return (
    <EmptyState
      icon={icon}
      title={title}
      hint={`${need.reason}.`}
      action={
        <ButtonLink href={path} variant="primary">
          {label}
        </ButtonLink>
      }
    />
  )
}
