import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId } from 'react'
import { reasonOf, refusedField } from '#client/lib/http/api.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import { useKeptForm } from '#client/lib/storage/kept-forms.ts'
import { Button } from '#client/ui/button.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { formatMonthDay, formatNumber } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Input } from '#client/ui/input.tsx'
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx'
import { Select } from '#client/ui/select.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { orderDays, orderNoteMax, orderRadii } from '#shared/constants/wanted.ts'
import type { BuyOrder } from '#shared/schemas/wanted.ts'
import { drives, traitLabels } from '#shared/vehicle-traits.ts'
import { any, keepEndDate, faultsOf, orderOf, type OrderStart, type OrderWords, wordsOf } from './order-draft.ts'
import { Market } from './order-market.tsx'
import { suggestionsQuery, useSaveOrder } from './wanted.api.ts'

interface OrderDialogProps {
  order?: BuyOrder | undefined
  start: OrderStart
  zip: string
  onClose: () => void
}

/** Fields that the form can mark if the server rejects them. */
const refusable = [
  'make',
  'model',
  'trims',
  'yearFrom',
  'yearTo',
  'milesMax',
  'price',
  'perMonth',
  'near',
  'note',
] as const

export function OrderDialog({ order, start, zip, onClose }: OrderDialogProps) {
  const formId = useId()
  const save = useSaveOrder(order)
  const isMounted = useIsMounted()
  const kept = useKeptForm<OrderWords>(`order.${order?.id ?? JSON.stringify(start)}`, wordsOf(order, start, zip))
  const form = useFormState<OrderWords>({
    initial: kept.start,
    keep: kept.keep,
    validate: faultsOf,
    onSubmit: (words) => {
      const sent = orderOf(words)
      if (!sent) return
      // Forget a sent order even if the dealer has left the page.
      save.mutateAsync(sent).then(
        () => {
          kept.forget(words)
          if (isMounted()) onClose()
        },
        (error: Error) => form.refuse(refusedField(error, refusable)),
      )
    },
  })
  const isSaving = save.isPending
  const close = () => {
    if (!isSaving) kept.forget()
    onClose()
  }
  const startOver = () => {
    kept.forget()
    form.setErrors({})
    form.setValues(wordsOf(order, start, zip))
  }
  const isBeside = Object.keys(refusedField(save.error, refusable)).length > 0
  const refused = isBeside ? null : save.error
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      {...(kept.wasKept && !isSaving && { unsaved: true })}
      title={order ? 'Edit buy order' : 'New buy order'}
      width="lg"
      flush
      footer={
        <>
          <RestoredDraftNote shown={kept.wasKept} onStartOver={startOver} className="max-md:w-full">
            <p className="text-xs text-ink-2">
              A buy order isn't a commitment to buy. You make or accept an offer on each vehicle.
            </p>
          </RestoredDraftNote>
          <Button onClick={close} className="max-md:flex-1">
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={isSaving} className="max-md:flex-1">
            {submitLabel(order)}
          </Button>
        </>
      }
    >
      <div className="md:grid md:grid-cols-[minmax(0,1fr)_19rem]">
        <form id={formId} noValidate onSubmit={form.submit} className="grid content-start gap-3 px-6 py-4 max-md:px-4">
          {refused ? <InlineError title="Not saved" message={reasonOf(refused)} /> : null}
          <VehicleFields form={form} />
          <TermFields form={form} order={order} />
        </form>
        <aside
          aria-label="The market"
          className="border-line bg-sunken px-5 py-4 max-md:border-t max-md:px-4 md:border-l"
        >
          <Market words={form.values} />
        </aside>
      </div>
    </Dialog>
  )
}

function submitLabel(order: BuyOrder | undefined): string {
  if (order === undefined) return 'Start buy order'
  return order.state === 'ended' ? 'Save and renew' : 'Save'
}

type Form = ReturnType<typeof useFormState<OrderWords>>

const three = 'grid gap-3 md:grid-cols-3'

function useSuggestions(make: string, model: string) {
  const mmt = [make, model].filter((word) => word.trim() !== '').join('~')
  const asked = useDeferredValue(mmt)
  const { data } = useQuery(suggestionsQuery(asked))
  const same = (label: string, typed: string) => label.toLowerCase() === typed.trim().toLowerCase()
  const makes = data?.facets?.mmt.filter(({ label }) => label !== '') ?? []
  const models = makes.find(({ label }) => same(label, make))?.models.filter(({ label }) => label !== '') ?? []
  const trims = models.find(({ label }) => same(label, model))?.trims.filter(({ label }) => label !== '') ?? []
  const labels = (all: readonly { label: string }[]) => all.map(({ label }) => label)
  return { makes: labels(makes), models: labels(models), trims: labels(trims) }
}

function Suggestions({ id, words }: { id: string; words: readonly string[] }) {
  return (
    <datalist id={id}>
      {words.map((word) => (
        <option key={word} value={word}>
          {word}
        </option>
      ))}
    </datalist>
  )
}

function VehicleFields({ form: { values, errors, set } }: { form: Form }) {
  const id = useId()
  const { makes, models, trims } = useSuggestions(values.make, values.model)
  const text = (name: 'make' | 'model' | 'trims' | 'yearFrom' | 'yearTo' | 'milesMax') => ({
    value: values[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  })
  return (
    <>
      <div className={three}>
        <Field label="Make" required error={errors.make}>
          <Input {...text('make')} maxLength={60} list={`${id}-make`} />
        </Field>
        <Field label="Model" required error={errors.model}>
          <Input {...text('model')} maxLength={80} list={`${id}-model`} />
        </Field>
        <Field label="Trims" optional error={errors.trims} hint="Separate with commas">
          <Input {...text('trims')} maxLength={400} list={`${id}-trim`} />
        </Field>
        <Suggestions id={`${id}-make`} words={makes} />
        <Suggestions id={`${id}-model`} words={models} />
        <Suggestions id={`${id}-trim`} words={trims} />
      </div>
      <div className={three}>
        <Field label="Year from" error={errors.yearFrom}>
          <Input {...text('yearFrom')} inputMode="numeric" maxLength={4} className="num" />
        </Field>
        <Field label="Year to" error={errors.yearTo}>
          <Input {...text('yearTo')} inputMode="numeric" maxLength={4} className="num" />
        </Field>
        <Field label="Mileage up to" required error={errors.milesMax}>
          <Input {...text('milesMax')} inputMode="numeric" maxLength={20} className="num" />
        </Field>
      </div>
    </>
  )
}

const radiusOptions = [
  { value: any, label: 'Any distance' },
  ...orderRadii.map((miles) => ({ value: String(miles), label: `${formatNumber(miles)} miles` })),
]
const driveOptions = [
  { value: any, label: 'Any' },
  ...drives.map((drive) => ({ value: drive, label: traitLabels[drive] })),
]
const dayOptions = orderDays.map((days) => ({ value: String(days), label: `${days} days` }))
/** An active order can keep its end date or start a new period. */
const dayOptionsOf = (order: BuyOrder | undefined) =>
  order && order.state !== 'ended'
    ? [{ value: keepEndDate, label: `Keep end date (${formatMonthDay(order.expiresAt)})` }, ...dayOptions]
    : dayOptions

function TermFields({ form: { values, errors, set }, order }: { form: Form; order: BuyOrder | undefined }) {
  return (
    <>
      <div className={three}>
        <Field label="Price per vehicle" required error={errors.price}>
          <Input
            value={values.price}
            onChange={(event) => set('price', event.target.value)}
            inputMode="decimal"
            autoComplete="off"
            className="num"
          />
        </Field>
        <Field label="Vehicles per month" required error={errors.perMonth}>
          <Input
            value={values.perMonth}
            onChange={(event) => set('perMonth', event.target.value)}
            inputMode="numeric"
            maxLength={2}
            className="num"
          />
        </Field>
        <Field label="Duration">
          <Select value={values.days} onChange={(days) => set('days', days)} options={dayOptionsOf(order)} />
        </Field>
      </div>
      <div className={three}>
        <Field label="Near" hint="ZIP or postal code" error={errors.near}>
          <Input
            value={values.near}
            onChange={(event) => set('near', event.target.value)}
            autoComplete="off"
            maxLength={10}
            className="num"
          />
        </Field>
        <Field label="Within">
          <Select value={values.within} onChange={(within) => set('within', within)} options={radiusOptions} />
        </Field>
        <Field label="Drivetrain">
          <Select value={values.drive} onChange={(drive) => set('drive', drive)} options={driveOptions} />
        </Field>
      </div>
      <div className="flex flex-wrap gap-x-4">
        <Checkbox
          checked={values.photosOnly}
          onChange={(photosOnly) => set('photosOnly', photosOnly)}
          label="Only vehicles with photos"
        />
        <Checkbox
          checked={values.showName}
          onChange={(showName) => set('showName', showName)}
          label="Show my dealership’s name"
        />
      </div>
      <Field label="Note to sellers" optional error={errors.note}>
        <Textarea
          rows={2}
          maxLength={orderNoteMax}
          value={values.note}
          onChange={(event) => set('note', event.target.value)}
        />
      </Field>
    </>
  )
}
