import { type FormEvent, useState } from 'react'
import { addOnDescriptionMax, planPriceMax } from '#shared/constants/billing.ts'
import type { AddOnEdit, AdminAddOn, AdminPlan } from '#shared/schemas/billing.ts'
import { typedNumber } from '#client/lib/form/typed-amount.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatMoney, plural } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { useEditAddOn, useEditPlan } from '../admin.api.ts'

function wholeDollars(text: string): number | undefined {
  const price = typedNumber(text)
  return Number.isSafeInteger(price) ? price : undefined
}

function faultOfPrice(price: number | undefined): string | undefined {
  if (price === undefined) return 'Enter whole dollars'
  return price > planPriceMax ? `Enter ${formatMoney(planPriceMax)} or less` : undefined
}

interface OfferCardProps {
  name: string
  price: number
  isActive: boolean
  users: number
  description?: string
  features?: readonly string[]
  busy: boolean
  /** Receives only the fields that were changed, because another admin may have changed the others. */
  onSave: (change: AddOnEdit) => void
}

function useOfferDraft({ price, isActive, description, onSave }: OfferCardProps) {
  const text = description ?? ''
  const [draft, setDraft] = useState({ price: String(price), text, isActive })
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const amount = wholeDollars(draft.price)
  const fault = faultOfPrice(amount)
  const changed = draft.price !== String(price) || draft.text !== text || draft.isActive !== isActive
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (amount === undefined || fault !== undefined) return
    if (amount === 0 && price !== 0) return setAsking(true)
    save()
  }
  const save = () => {
    setAsking(false)
    onSave({
      ...(amount !== undefined && amount !== price && { price: amount }),
      ...(draft.text !== text && { description: draft.text }),
      ...(draft.isActive !== isActive && { isActive: draft.isActive }),
    })
  }
  return { draft, setDraft, fault: tried ? fault : undefined, changed, asking, setAsking, submit, save }
}

function OfferCard(props: OfferCardProps) {
  const { name, isActive, users, description, features, busy } = props
  const { draft, setDraft, fault, changed, asking, setAsking, submit, save } = useOfferDraft(props)
  return (
    <Card className="flex flex-col">
      <CardHeader title={name}>
        <Badge tone={isActive ? 'success' : 'neutral'}>{isActive ? 'Available' : 'Off'}</Badge>
      </CardHeader>
      <CardBody className="flex flex-1 flex-col pb-4">
        <form noValidate onSubmit={submit} className="flex flex-1 flex-col gap-3">
          <p className="text-xs text-ink-2">{plural(users, 'user')}</p>
          <Field label="Price per month" error={fault}>
            <Input
              inputMode="numeric"
              autoComplete="off"
              value={draft.price}
              trailing="USD"
              onChange={(event) => setDraft({ ...draft, price: event.target.value })}
            />
          </Field>
          {description === undefined ? null : (
            <Field label="Description">
              <Textarea
                rows={4}
                maxLength={addOnDescriptionMax}
                value={draft.text}
                onChange={(event) => setDraft({ ...draft, text: event.target.value })}
              />
            </Field>
          )}
          {features ? (
            <ul aria-label={`Features of ${name}`} className="list-disc space-y-1 pl-4 text-ink-2">
              {features.map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
            </ul>
          ) : null}
          <div className="mt-auto">
            <Switch
              label="Available"
              checked={draft.isActive}
              onChange={(checked) => setDraft({ ...draft, isActive: checked })}
            />
          </div>
          <Button variant="primary" type="submit" block busy={busy} disabled={!changed}>
            {changed ? 'Save' : 'Saved'}
          </Button>
        </form>
        <ConfirmDialog
          open={asking}
          onOpenChange={setAsking}
          title={`Make ${name} free?`}
          description="New subscribers will pay nothing for it."
          confirmLabel="Save at $0"
          onConfirm={save}
        />
      </CardBody>
    </Card>
  )
}

export function PlanCard({ plan }: { plan: AdminPlan }) {
  const edit = useEditPlan()
  return (
    <OfferCard
      key={`${plan.price}-${plan.isActive}`}
      name={plan.name}
      price={plan.price}
      isActive={plan.isActive}
      users={plan.userCount}
      features={plan.features}
      busy={edit.isPending}
      onSave={({ description: _none, ...change }) => edit.mutate({ id: plan.id, change })}
    />
  )
}

export function AddOnCard({ addOn }: { addOn: AdminAddOn }) {
  const edit = useEditAddOn()
  return (
    <OfferCard
      key={`${addOn.price}-${addOn.isActive}-${addOn.description}`}
      name={addOn.name}
      price={addOn.price}
      isActive={addOn.isActive}
      users={addOn.userCount}
      description={addOn.description}
      busy={edit.isPending}
      onSave={(change) => edit.mutate({ id: addOn.id, change })}
    />
  )
}
