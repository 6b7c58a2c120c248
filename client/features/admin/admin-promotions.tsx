import { useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useId, useState } from 'react'
import type { Promotion } from '#shared/schemas/promotions.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalise, formatDay } from '#client/ui/format.ts'
import { promotionsQuery, useChangePromotion, useCreatePromotion, useDeletePromotion } from './admin.api.ts'
import { Load } from './admin-load.tsx'
import { newPromotion, PromotionForm } from './admin-promotion-form.tsx'

const tones: Record<Promotion['type'], BadgeTone> = {
  info: 'accent',
  warning: 'warning',
  success: 'success',
  promotion: 'sold',
}

/** /admin/promo: make a promotion at the left, run those that exist at the right. */
export function AdminPromotions() {
  const create = useCreatePromotion()
  const promotions = useQuery(promotionsQuery())
  const form = useId()
  const [made, setMade] = useState(0)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-[360px_minmax(0,1fr)]">
      <Card>
        <CardHeader title="Create Promotion" />
        <CardBody className="space-y-4 pb-4">
          <PromotionForm
            key={made}
            id={form}
            initial={newPromotion()}
            onSubmit={(input) => create.mutate(input, { onSuccess: () => setMade((count) => count + 1) })}
          />
          <Button variant="primary" type="submit" form={form} block busy={create.isPending}>
            Create Promotion
          </Button>
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Promotions" />
        <Load query={promotions} what="promotions">
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState
                icon={<Megaphone size={24} />}
                title="No promotions yet"
                hint="The first one you create runs for a week."
              />
            ) : (
              <ul>
                {rows.map((promotion) => (
                  <PromotionRow key={promotion.id} promotion={promotion} />
                ))}
              </ul>
            )
          }
        </Load>
      </Card>
    </div>
  )
}

/** What a promotion does today: active ones outside their dates do not show. */
function stateOf({ isActive, startDate, endDate }: Promotion): { label: string; tone: BadgeTone } {
  const today = new Date().toISOString().slice(0, 10)
  if (!isActive) return { label: 'INACTIVE', tone: 'neutral' }
  if (today < startDate) return { label: 'ACTIVE, starts later', tone: 'accent' }
  if (today > endDate) return { label: 'ACTIVE, has ended', tone: 'neutral' }
  return { label: 'ACTIVE', tone: 'success' }
}

function PromotionRow({ promotion }: { promotion: Promotion }) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const change = useChangePromotion()
  const remove = useDeletePromotion()
  const { id, title, message, isActive, startDate, endDate } = promotion
  const state = stateOf(promotion)
  return (
    <li className="border-t border-line p-4 first:border-t-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{title}</h3>
        <Badge tone={tones[promotion.type]}>{capitalise(promotion.type)}</Badge>
        <Badge tone={state.tone}>{state.label}</Badge>
      </div>
      <p className="mt-1 max-w-prose wrap-anywhere text-ink-2">{message}</p>
      <p className="mt-1 text-xs text-ink-3">
        {formatDay(startDate)} to {formatDay(endDate)} · Audience: {promotion.targetAudience}
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
        description="It disappears from every screen at once. This cannot be undone."
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
  const form = useId()
  const { id, title, message, type, targetAudience, startDate, endDate } = promotion
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Edit promotion"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <PromotionForm
        id={form}
        initial={{ title, message, type, targetAudience, startDate, endDate }}
        onSubmit={(input) => change.mutate({ id, change: input }, { onSuccess: onClose })}
      />
    </Dialog>
  )
}
