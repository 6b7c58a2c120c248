import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useState } from 'react'
import { call, reasonOf, withQuery } from '#client/lib/api.ts'
import { typedAmount } from '#client/lib/typed-amount.ts'
import { Button } from '#client/ui/button.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { type FieldErrors, useFormState } from '#client/ui/form-state.ts'
import { formatMoney, formatNumber, plural } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { mileageMax, yearMax, yearMin } from '#shared/limits.ts'
import {
  type BuyOrder,
  lowPriceShare,
  type NewBuyOrder,
  orderDays,
  orderNoteMax,
  orderRadii,
  type OrderPreview,
  type OrderSearch,
  orderTrimsMax,
  perMonthMax,
} from '#shared/schemas/wanted.ts'
import { drives, traitLabels } from '#shared/vehicle-traits.ts'
import type { ofFind } from './order-words.ts'
import { previewQuery, useSaveOrder } from './wanted.api.ts'

const any = 'any'
const settleMs = 400

interface Words {
  make: string
  model: string
  trims: string
  yearFrom: string
  yearTo: string
  milesMax: string
  price: string
  perMonth: string
  days: string
  near: string
  within: string
  drive: string
  photosOnly: boolean
  showName: boolean
  note: string
}

/** What a new order begins with, beside what it takes over. */
export type OrderStart = ReturnType<typeof ofFind>

const textOf = (value: number | null) => (value === null ? '' : String(value))

function wordsOf(order: BuyOrder | undefined, start: OrderStart, zip: string): Words {
  const from = order ?? start
  return {
    make: from.make,
    model: from.model,
    trims: from.trims.join(', '),
    yearFrom: textOf(from.yearFrom),
    yearTo: textOf(from.yearTo),
    milesMax: from.milesMax === null ? '' : formatNumber(from.milesMax),
    price: from.price === null ? '' : formatMoney(from.price),
    perMonth: String(order?.perMonth ?? 1),
    days: '30',
    near: from.near || (order ? '' : zip),
    within: from.within === null ? any : String(from.within),
    drive: from.drive ?? any,
    photosOnly: from.photosOnly,
    showName: order?.showName ?? false,
    note: order?.note ?? '',
  }
}

const wholeOf = (text: string): number | undefined => {
  const digits = text.replaceAll(/[,\s]/g, '')
  return /^\d{1,8}$/.test(digits) ? Number(digits) : undefined
}

function yearOf(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const year = wholeOf(text)
  return year !== undefined && year >= yearMin && year <= yearMax ? year : undefined
}

const trimsOf = (text: string) =>
  text
    .split(',')
    .map((trim) => trim.trim())
    .filter(Boolean)

const lacks = {
  make: 'Say which make you buy',
  model: 'Say which model you buy',
  year: `A year from ${yearMin} to ${yearMax}, or nothing`,
  milesMax: 'Up to how many miles',
  price: 'Enter what you pay, in dollars',
  perMonth: `From 1 to ${perMonthMax}`,
} as const

function faultsOf(words: Words): FieldErrors<Words> {
  const miles = wholeOf(words.milesMax)
  const perMonth = wholeOf(words.perMonth)
  return {
    ...(words.make.trim() === '' && { make: lacks.make }),
    ...(words.model.trim() === '' && { model: lacks.model }),
    ...(trimsOf(words.trims).length > orderTrimsMax && { trims: `Up to ${orderTrimsMax} trims` }),
    ...(yearOf(words.yearFrom) === undefined && { yearFrom: lacks.year }),
    ...(yearOf(words.yearTo) === undefined && { yearTo: lacks.year }),
    ...((miles === undefined || miles < 1 || miles > mileageMax) && { milesMax: lacks.milesMax }),
    ...(typedAmount(words.price) === undefined && { price: lacks.price }),
    ...((perMonth === undefined || perMonth < 1 || perMonth > perMonthMax) && { perMonth: lacks.perMonth }),
  }
}

/** Undefined as long as it names no vehicle. */
function searchOf(words: Words): OrderSearch | undefined {
  const { make, model, near, within, drive, photosOnly } = words
  const milesMax = wholeOf(words.milesMax) ?? mileageMax
  if (make.trim() === '' || model.trim() === '' || milesMax < 1 || milesMax > mileageMax) return undefined
  return {
    make: make.trim(),
    model: model.trim(),
    trims: trimsOf(words.trims).slice(0, orderTrimsMax),
    yearFrom: yearOf(words.yearFrom) ?? null,
    yearTo: yearOf(words.yearTo) ?? null,
    milesMax,
    near: near.trim(),
    within: within === any ? null : Number(within),
    drive: drives.find((one) => one === drive) ?? null,
    photosOnly,
  }
}

/** Of words without a fault. */
function orderOf(words: Words): NewBuyOrder | undefined {
  const search = searchOf(words)
  return (
    search && {
      ...search,
      price: typedAmount(words.price) ?? 0,
      perMonth: wholeOf(words.perMonth) ?? 1,
      days: Number(words.days),
      showName: words.showName,
      note: words.note.trim(),
    }
  )
}

interface OrderDialogProps {
  /** One that is there already. */
  order?: BuyOrder | undefined
  start: OrderStart
  /** The dealer's own ZIP. */
  zip: string
  onClose: () => void
}

/** A new buy order, or another one's terms; beside it what the network has of such vehicles. */
export function OrderDialog({ order, start, zip, onClose }: OrderDialogProps) {
  const formId = useId()
  const save = useSaveOrder(order)
  const form = useFormState<Words>({
    initial: wordsOf(order, start, zip),
    validate: faultsOf,
    onSubmit: (words) => {
      const sent = orderOf(words)
      if (sent) save.mutate(sent, { onSuccess: onClose })
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={order ? 'Edit buy order' : 'New buy order'}
      width="lg"
      flush
      footer={
        <>
          <p className="mr-auto text-xs text-ink-2 max-md:w-full">
            An order is no purchase: every deal starts with an offer you make or accept.
          </p>
          <Button onClick={onClose} className="max-md:flex-1">
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={save.isPending} className="max-md:flex-1">
            {order ? 'Save' : 'Start buy order'}
          </Button>
        </>
      }
    >
      <div className="md:grid md:grid-cols-[minmax(0,1fr)_304px]">
        <form id={formId} noValidate onSubmit={form.submit} className="grid content-start gap-3 px-6 py-4 max-md:px-4">
          {save.error ? <InlineError title="Not saved" message={reasonOf(save.error)} /> : null}
          <VehicleFields form={form} />
          <TermFields form={form} />
        </form>
        <aside aria-label="The market" className="border-line bg-sunken px-5 py-4 max-md:border-t max-md:px-4 md:border-l">
          <Market words={form.values} />
        </aside>
      </div>
    </Dialog>
  )
}

type Form = ReturnType<typeof useFormState<Words>>

const three = 'grid gap-3 md:grid-cols-3'

/** Makes, models and trims that are on offer, as suggestions. */
function useSuggestions(make: string, model: string) {
  const mmt = [make, model].filter((word) => word.trim() !== '').join('~')
  const asked = useDeferredValue(mmt)
  const { data } = useQuery({
    queryKey: ['/api/find', 'words', asked] as const,
    queryFn: ({ signal }) => call(withQuery('/api/find', { mmt: asked || undefined, facets: '1' }), { signal }),
    staleTime: 60_000,
    placeholderData: (before) => before,
    retry: false,
  })
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
        <option key={word} value={word} />
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
        <Field label="Trims" optional error={errors.trims} hint="With commas between">
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
          <Input {...text('milesMax')} inputMode="numeric" maxLength={9} className="num" />
        </Field>
      </div>
    </>
  )
}

const radiusOptions = [
  { value: any, label: 'Any distance' },
  ...orderRadii.map((miles) => ({ value: String(miles), label: `${formatNumber(miles)} miles` })),
]
const driveOptions = [{ value: any, label: 'Any' }, ...drives.map((drive) => ({ value: drive, label: traitLabels[drive] }))]
const dayOptions = orderDays.map((days) => ({ value: String(days), label: `${days} days` }))

function TermFields({ form: { values, errors, set } }: { form: Form }) {
  return (
    <>
      <div className={three}>
        <Field label="You pay a car" required error={errors.price}>
          <Input
            value={values.price}
            onChange={(event) => set('price', event.target.value)}
            inputMode="decimal"
            autoComplete="off"
            className="num"
          />
        </Field>
        <Field label="How many a month" required error={errors.perMonth}>
          <Input
            value={values.perMonth}
            onChange={(event) => set('perMonth', event.target.value)}
            inputMode="numeric"
            maxLength={2}
            className="num"
          />
        </Field>
        <Field label="For">
          <Select value={values.days} onChange={(days) => set('days', days)} options={dayOptions} />
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
          label="Only with photos"
        />
        <Checkbox
          checked={values.showName}
          onChange={(showName) => set('showName', showName)}
          label="Show my dealership’s name"
        />
      </div>
      <Field label="Note to sellers" optional>
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

/** What was last typed, once the typing has settled. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function Market({ words }: { words: Words }) {
  const search = useSettled(searchOf(words) ?? null)
  const preview = useQuery({
    ...previewQuery(search ?? ({} as OrderSearch)),
    enabled: search !== null,
    placeholderData: (before) => before,
  })
  const price = typedAmount(words.price)
  return (
    <div className="space-y-4">
      {search === null ? (
        <p className="text-ink-2">Name a make and a model: here stands what the network offers and has sold of them.</p>
      ) : null}
      {preview.error ? (
        <InlineError
          title="Figures could not be loaded"
          message={reasonOf(preview.error)}
          onRetry={() => void preview.refetch()}
        />
      ) : null}
      {search !== null && preview.isPending ? (
        <Loading label="Loading figures">
          <SkeletonRows rows={3} />
        </Loading>
      ) : null}
      {search !== null && preview.data ? <MarketFigures preview={preview.data} price={price} /> : null}
      <p className="flex items-start gap-2 text-xs text-ink-2">
        <Info size={14} className="mt-px flex-none" aria-hidden="true" />
        <span>
          Sellers with a matching car see {price === undefined ? 'what you pay' : formatMoney(price)}, your distance and
          rating. {words.showName ? 'They see your dealership’s name.' : 'Your name stays hidden until an offer is made.'}
        </span>
      </p>
    </div>
  )
}

function MarketFigures({ preview, price }: { preview: OrderPreview; price: number | undefined }) {
  const { onOffer, newIn7Days, askedQuartiles, sold90, placeKnown } = preview
  const [low = 0, median = 0, high = 0] = askedQuartiles ?? []
  const isLow = askedQuartiles !== null && price !== undefined && price < median * lowPriceShare
  return (
    <>
      <dl className="num space-y-3" aria-live="polite">
        <Figure name="On offer now" value={plural(onOffer, 'vehicle')} note={`${formatNumber(newIn7Days)} new in the last 7 days`} />
        {askedQuartiles ? (
          <Figure
            name="They ask"
            value={formatMoney(median)}
            note={`half of them between ${formatMoney(low)} and ${formatMoney(high)}`}
          />
        ) : (
          <Figure name="They ask" value="–" note="Too few to tell" />
        )}
        {sold90 ? (
          <Figure name="Sold here in 90 days" value={formatNumber(sold90.count)} note={`median ${formatMoney(sold90.median)}`} />
        ) : (
          <Figure name="Sold here in 90 days" value="–" note="Too few to tell" />
        )}
      </dl>
      {placeKnown ? null : (
        <p className="text-warning-ink">We do not know this ZIP or postal code. Without another one it cannot be saved.</p>
      )}
      {isLow ? (
        <p role="status" className="text-warning-ink">
          That is less than 40 % of what is asked. Sellers see it, and our moderators look at orders like that.
        </p>
      ) : null}
    </>
  )
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="text-lg font-semibold tracking-lg">{value}</dd>
      <dd className="text-xs text-ink-2">{note}</dd>
    </div>
  )
}
