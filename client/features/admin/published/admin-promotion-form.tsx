import { promotionAudiences, promotionDays, promotionTypes } from '#shared/constants/promotions.ts'
import type { PromotionInput } from '#shared/schemas/promotions.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { capitalize } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import type { WrittenFormProps } from './admin-write-and-list.tsx'

const dayMs = 86_400_000
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const options = <Value extends string>(words: readonly Value[]) =>
  words.map((value) => ({ value, label: capitalize(value) }))

export function newPromotion(): PromotionInput {
  const now = Date.now()
  return {
    title: '',
    message: '',
    type: 'info',
    targetAudience: 'all',
    startDate: day(now),
    endDate: day(now + promotionDays * dayMs),
  }
}

export function PromotionForm({ id, initial, onSubmit, keep }: WrittenFormProps<PromotionInput>) {
  const billing = useBilling()
  const form = useFormState<PromotionInput>({
    initial: billing ? initial : { ...initial, targetAudience: 'all' },
    validate: ({ title, message, startDate, endDate }) => ({
      ...(title.trim() === '' && { title: 'Title is required' }),
      ...(message.trim() === '' && { message: 'Message is required' }),
      ...(startDate === '' && { startDate: 'Choose a day' }),
      ...(endDate < startDate && { endDate: 'Must not be before the start date' }),
      ...(endDate === '' && { endDate: 'Choose a day' }),
    }),
    onSubmit: (input, changed) => onSubmit(input, billing ? changed : { ...changed, targetAudience: 'all' }),
    ...(keep && { keep }),
  })
  const { values, errors, set } = form
  return (
    <form id={id} noValidate onSubmit={form.submit} className="space-y-3">
      <Field label="Title" required error={errors.title}>
        <Input value={values.title} maxLength={120} onChange={(event) => set('title', event.target.value)} />
      </Field>
      <Field label="Message" required error={errors.message}>
        <Textarea value={values.message} maxLength={500} onChange={(event) => set('message', event.target.value)} />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Type">
          <Select value={values.type} onChange={(value) => set('type', value)} options={options(promotionTypes)} />
        </Field>
        {billing ? (
          <Field label="Audience">
            <Select
              value={values.targetAudience}
              onChange={(value) => set('targetAudience', value)}
              options={options(promotionAudiences)}
            />
          </Field>
        ) : (
          <p className="self-end pb-2 text-ink-2">Shown to everyone</p>
        )}
        <Field label="Start date" error={errors.startDate} hint="From 12:00 AM UTC">
          <Input type="date" value={values.startDate} onChange={(event) => set('startDate', event.target.value)} />
        </Field>
        <Field label="End date" error={errors.endDate} hint="Through 11:59 PM UTC">
          <Input type="date" value={values.endDate} onChange={(event) => set('endDate', event.target.value)} />
        </Field>
      </div>
    </form>
  )
}
