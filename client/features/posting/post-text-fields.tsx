import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { auctionFacilitators, facilitatorName } from '#shared/facilitators.ts'
import { descriptionMax, titleMax } from '#shared/limits.ts'
import { isBlank } from '#shared/visible-text.ts'
import { type DraftFault, faultToasts, type PostDraft } from './post-draft.ts'

interface PostTextFieldsProps {
  draft: PostDraft
  change: (part: Partial<PostDraft>) => void
  faults: readonly DraftFault[]
  bound?: boolean
}

export function PostTextFields({ draft, change, faults, bound = false }: PostTextFieldsProps) {
  return (
    <>
      <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_15rem] md:gap-3">
        <Field
          label="Title"
          required
          error={faults.includes('title') && isBlank(draft.title) ? faultToasts.title.description : undefined}
        >
          <Input
            value={draft.title}
            disabled={bound}
            maxLength={titleMax}
            onChange={(event) => change({ title: event.target.value })}
          />
        </Field>
        <Field label="Auction facilitator">
          <FacilitatorSelect
            value={draft.auctionFacilitator}
            offered={auctionFacilitators}
            onChange={(auctionFacilitator) => change({ auctionFacilitator })}
          />
        </Field>
      </div>
      <Field label="Description" optional>
        <Textarea
          value={draft.description}
          maxLength={descriptionMax}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
    </>
  )
}

const none = 'none'

interface FacilitatorSelectProps {
  value: string
  onChange: (value: string) => void
  offered: readonly string[]
  label?: string
  className?: string
}

export function FacilitatorSelect({ value, onChange, offered, label, className }: FacilitatorSelectProps) {
  const choices = value === '' || offered.includes(value) ? offered : [value, ...offered]
  return (
    <Select
      {...(label !== undefined && { label })}
      {...(className !== undefined && { className })}
      value={value}
      onChange={(chosen) => onChange(chosen === none ? '' : chosen)}
      options={[
        { value: none, label: 'None' },
        ...choices.map((choice) => ({ value: choice, label: facilitatorName(choice) })),
      ]}
      placeholder={label ?? 'Select facilitator'}
    />
  )
}
