import type { IncidentInput } from '#shared/schemas/ops.ts'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import type { WrittenFormProps } from './admin-write-and-list.tsx'

interface IncidentValues {
  title: string
  text: string
  planned: boolean
  /** Both times are in the admin's time zone, as `datetime-local` text. If `endedAt` is empty, the incident is ongoing. */
  startedAt: string
  endedAt: string
}

const minuteMs = 60_000

const localTime = (iso: string | null): string => {
  if (iso === null) return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}

/** Date fields also accept years that `Date` cannot parse. */
const isTime = (local: string): boolean => !Number.isNaN(new Date(local).getTime())

const endOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString())

export const newIncident = (): IncidentInput => ({
  title: '',
  text: '',
  planned: false,
  startedAt: new Date(Math.floor(Date.now() / minuteMs) * minuteMs).toISOString(),
  endedAt: null,
})

function validate({ title, text, startedAt, endedAt }: IncidentValues) {
  return {
    ...(title.trim() === '' && { title: 'Title is required' }),
    ...(text.trim() === '' && { text: 'Description is required' }),
    ...(!isTime(startedAt) && { startedAt: 'Choose a time' }),
    ...(endedAt !== '' && endedAt < startedAt && { endedAt: 'Must not be before the start' }),
    ...(endedAt !== '' && !isTime(endedAt) && { endedAt: 'Choose a time or leave blank' }),
  }
}

const asInput = ({ startedAt, endedAt, ...rest }: IncidentValues, initial: IncidentInput): IncidentInput => ({
  ...rest,
  startedAt: isTime(startedAt) ? new Date(startedAt).toISOString() : initial.startedAt,
  endedAt: isTime(endedAt) ? new Date(endedAt).toISOString() : null,
})

export function IncidentForm({ id, initial, onSubmit, keep }: WrittenFormProps<IncidentInput>) {
  const form = useFormState<IncidentValues>({
    initial: { ...initial, startedAt: localTime(initial.startedAt), endedAt: localTime(initial.endedAt) },
    validate,
    onSubmit: ({ startedAt, endedAt, ...rest }, { startedAt: begins, endedAt: ends, ...changed }) => {
      const times = { startedAt: new Date(startedAt).toISOString(), endedAt: endOf(endedAt) }
      onSubmit(
        { ...rest, ...times },
        {
          ...changed,
          ...(begins !== undefined && { startedAt: times.startedAt }),
          ...(ends !== undefined && { endedAt: times.endedAt }),
        },
      )
    },
    ...(keep && { keep: (written) => keep(asInput(written, initial)) }),
  })
  const { values, errors, set } = form
  return (
    <form id={id} noValidate onSubmit={form.submit} className="space-y-3">
      <Field label="Title" required error={errors.title}>
        <Input value={values.title} maxLength={120} onChange={(event) => set('title', event.target.value)} />
      </Field>
      <Field label="Description" required error={errors.text}>
        <Textarea value={values.text} maxLength={2_000} onChange={(event) => set('text', event.target.value)} />
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Started" required error={errors.startedAt}>
          <Input
            type="datetime-local"
            value={values.startedAt}
            onChange={(event) => set('startedAt', event.target.value)}
          />
        </Field>
        <Field label="Ended" optional error={errors.endedAt}>
          <Input
            type="datetime-local"
            value={values.endedAt}
            onChange={(event) => set('endedAt', event.target.value)}
          />
        </Field>
      </div>
      <Switch label="Planned maintenance" checked={values.planned} onChange={(planned) => set('planned', planned)} />
    </form>
  )
}
