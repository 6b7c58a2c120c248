import { useQuery } from '@tanstack/react-query'
import { suitsPlan } from '#shared/entitlements.ts'
import type { AddOn, MySubscription, ProrationPreview } from '#shared/schemas/billing.ts'
import { toast } from '#client/ui/toast-store.ts'
import { addOnPreviewQuery, addOnsQuery, useAddAddOn, useRemoveAddOn } from '../billing.api.ts'
import { refetchPrice, ProrationDialog } from './proration-dialog.tsx'
import { useState } from 'react'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { QueryState } from '#client/ui/query-state.tsx'

function AddAddOnDialog({ addOn, onClose }: { addOn: AddOn; onClose: () => void }) {
  const preview = useQuery(addOnPreviewQuery(addOn.id))
  const add = useAddAddOn()
  const confirm = ({ quote }: ProrationPreview) =>
    add.mutate(
      { id: addOn.id, quote },
      {
        onSuccess: () => {
          toast({ title: 'Add-on Added', description: `${addOn.name} is now on your plan.` })
          onClose()
        },
        onError: refetchPrice(preview),
      },
    )
  return (
    <ProrationDialog
      title={`Add ${addOn.name}`}
      description="You pay for the rest of this billing period today; after that it is on your monthly invoice."
      preview={preview}
      labels={{ keep: 'Not now', free: 'Add', verb: 'add' }}
      busy={add.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

type Subscription = NonNullable<MySubscription['subscription']>

/** Lists the add-ons that the dealer has, at the price that they pay, and then other add-ons that suit the plan. */
const listed = (offered: readonly AddOn[], { addOns: held, plan }: Subscription) => [
  ...held,
  ...offered.filter(({ id }) => suitsPlan(id, plan.id) && held.every((one) => one.id !== id)),
]

export function AddOnsCard({ subscription }: { subscription: Subscription }) {
  const offered = useQuery(addOnsQuery())
  const [adding, setAdding] = useState<AddOn>()
  const [removing, setRemoving] = useState<AddOn>()
  const addOns = listed(offered.data ?? [], subscription)
  if (addOns.length === 0 && !offered.error) return null
  return (
    <Card aria-label="Add-ons">
      <CardHeader title="Add-ons" />
      {offered.error ? (
        <CardBody>
          <QueryState query={offered} failure="Add-ons could not be loaded" label="Loading add-ons">
            {null}
          </QueryState>
        </CardBody>
      ) : null}
      <ul className="pb-1">
        {addOns.map((addOn) => (
          <li
            key={addOn.id}
            className="flex items-center justify-between gap-3 border-line px-4 py-3 not-last:border-b max-sm:flex-wrap"
          >
            <div className="min-w-0">
              <h3 className="text-base font-semibold">{addOn.name}</h3>
              <p className="text-ink-2">{addOn.description}</p>
            </div>
            <div className="flex flex-none items-center gap-4 max-sm:w-full max-sm:justify-between">
              <p>
                <b className="num text-base font-semibold">{formatMoney(addOn.price)}</b>{' '}
                <span className="text-xs text-ink-2">per month</span>
              </p>
              <AddOnAct
                addOn={addOn}
                subscription={subscription}
                onAdd={() => setAdding(addOn)}
                onRemove={() => setRemoving(addOn)}
              />
            </div>
          </li>
        ))}
      </ul>
      {subscription.complimentary ? (
        <p className="border-t border-line px-4 py-3 text-ink-2">
          Your plan is complimentary. Subscribe to a plan first, then add what you need.
        </p>
      ) : null}
      {adding ? <AddAddOnDialog addOn={adding} onClose={() => setAdding(undefined)} /> : null}
      {removing ? <RemoveDialog addOn={removing} onClose={() => setRemoving(undefined)} /> : null}
    </Card>
  )
}

interface AddOnActProps {
  addOn: AddOn
  subscription: Subscription
  onAdd: () => void
  onRemove: () => void
}

function AddOnAct({ addOn, subscription, onAdd, onRemove }: AddOnActProps) {
  const { status, complimentary, addOns } = subscription
  const disabled = complimentary || status !== 'active'
  if (!addOns.some(({ id }) => id === addOn.id))
    return (
      <div className="flex w-24 justify-end">
        <Button aria-label={`Add ${addOn.name}`} disabled={disabled} onClick={onAdd}>
          Add
        </Button>
      </div>
    )
  return (
    <div className="flex items-center gap-3">
      <Badge tone="success">Active</Badge>
      <Button aria-label={`Remove ${addOn.name}`} disabled={disabled} onClick={onRemove}>
        Remove
      </Button>
    </div>
  )
}

function RemoveDialog({ addOn, onClose }: { addOn: AddOn; onClose: () => void }) {
  const remove = useRemoveAddOn()
  const confirm = () =>
    remove.mutate(addOn.id, {
      onSuccess: () => toast({ title: 'Add-on Removed', description: `${addOn.name} is no longer on your plan.` }),
      onSettled: onClose,
    })
  return (
    <ConfirmDialog
      open
      onOpenChange={(stays) => !stays && onClose()}
      title={`Remove ${addOn.name}?`}
      description="It ends now. The unused part of this month is credited to your next invoices."
      confirmLabel="Remove"
      cancelLabel="Keep it"
      destructive
      busy={remove.isPending}
      onConfirm={confirm}
    />
  )
}
