import { Select } from '#client/ui/select.tsx'
import { facilitatorName } from '#shared/facilitators.ts'

/** A Select has no empty choice. */
const none = 'none'

interface FacilitatorSelectProps {
  value: string
  onChange: (value: string) => void
  /** What the form offers; one that the post has already is offered, too. */
  offered: readonly string[]
  /** The accessible name where no Field is around it. */
  label?: string
  className?: string
}

/** Who helps with the auction, or nobody; by name, also what is stored as a code. */
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
