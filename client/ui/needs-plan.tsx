import type { ReactNode } from 'react'
import { type PlanNeed, remedyFor } from '#client/lib/session/plan-refusal.ts'
import { ButtonLink } from './button-link.tsx'
import { EmptyState } from './empty-state.tsx'

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
