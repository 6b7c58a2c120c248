import { useQuery } from '@tanstack/react-query'
import Megaphone from 'lucide-react/icons/megaphone'
import { useState } from 'react'
import type { Promotion } from '#shared/schemas/promotions.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { capitalize, formatDay } from '#client/ui/format.ts'
import { promotionsQuery, useChangePromotion, useCreatePromotion, useDeletePromotion } from './admin-published.api.ts'
import { newPromotion, PromotionForm } from './admin-promotion-form.tsx'
import { EditDialog, WriteCard, WrittenList } from './admin-write-and-list.tsx'

const tones: Record<Promotion['type'], BadgeTone> = {
  info: 'accent',
  warning: 'warning',
  success: 'success',
  promotion: 'sold',
}

export function AdminPromotions() {
  const create = useCreatePromotion()
  const promotions = useQuery(promotionsQuery())
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-[22.5rem_minmax(0,1fr)]">
      <WriteCard
        title="Create Promotion"
        action="Create Promotion"
        Form={PromotionForm}
        initial={newPromotion()}
        busy={create.isPending}
        onSubmit={create.mutateAsync}
      />
      <WrittenList
        title="Promotions"
        what="promotions"
        query={promotions}
        empty={{
          icon: <Megaphone size={24} />,
          title: 'No promotions yet',
          hint: 'New promotions run for a week unless you choose other dates.',
        }}
        renderRow={(promotion) => <PromotionRow key={promotion.id} promotion={promotion} />}
      />
    </div>
  )
}

/** Returns the badge of a promotion. An active promotion may still be hidden: outside its dates, or because billing is off. */
function stateOf(
  { isActive, startDate, endDate, targetAudience }: Promotion,
  billing: boolean,
): { label: string; tone: BadgeTone } {
  const today = new Date().toISOString().slice(0, 10)
  if (!isActive) return { label: 'INACTIVE', tone: 'neutral' }
  if (!billing && targetAudience !== 'all') return { label: 'ACTIVE, not shown to anyone', tone: 'neutral' }
  if (today < startDate) return { label: 'ACTIVE, starts later', tone: 'accent' }
  if (today > endDate) return { label: 'ACTIVE, has ended', tone: 'neutral' }
  return { label: 'ACTIVE', tone: 'success' }
}

function audienceOf({ targetAudience }: Promotion, billing: boolean): string {
  if (billing) return `Audience: ${targetAudience}`
  return targetAudience === 'all' ? 'Shown to everyone' : 'Created for plan subscribers. Edit it to show it to everyone'
}

function PromotionRow({ promotion }: { promotion: Promotion }) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const change = useChangePromotion()
  const remove = useDeletePromotion()
  const { id, title, message, isActive, startDate, endDate } = promotion
  const billing = useBilling()
  const state = stateOf(promotion, billing)
  return (
    <li className="border-t border-line p-4 first:border-t-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{title}</h3>
        <Badge tone={tones[promotion.type]}>{capitalize(promotion.type)}</Badge>
        <Badge tone={state.tone}>{state.label}</Badge>
      </div>
      <p className="mt-1 max-w-prose wrap-anywhere text-ink-2">{message}</p>
      <p className="mt-1 text-xs text-ink-3">
        {formatDay(startDate)} to {formatDay(endDate)}, UTC · {audienceOf(promotion, billing)}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          busy={change.isPending && change.variables.change.isActive !== undefined}
          onClick={() => change.mutate({ id, change: { isActive: !isActive } })}
        >
          {isActive ? 'PAUSE' : 'ACTIVATE'}
        </Button>
        <Button onClick={() => setOpen('edit')}>EDIT</Button>
        <Button variant="danger-ghost" onClick={() => setOpen('delete')}>
          DELETE
        </Button>
      </div>
      {open === 'edit' ? <EditPromotionDialog promotion={promotion} onClose={() => setOpen(undefined)} /> : null}
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={() => setOpen(undefined)}
        title={`Delete “${title}”?`}
        description="It disappears from every screen right away. This cannot be undone."
        confirmLabel="Delete"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSuccess: () => setOpen(undefined) })}
      />
    </li>
  )
}

function EditPromotionDialog({ promotion, onClose }: { promotion: Promotion; onClose: () => void }) {
  const change = useChangePromotion()
  const { id, title, message, type, targetAudience, startDate, endDate } = promotion
  return (
    <EditDialog
      title="Edit promotion"
      onClose={onClose}
      Form={PromotionForm}
      initial={{ title, message, type, targetAudience, startDate, endDate }}
      busy={change.isPending}
      onSubmit={(wanted, done) => change.mutate({ id, change: wanted }, { onSuccess: done })}
    />
  )
}
