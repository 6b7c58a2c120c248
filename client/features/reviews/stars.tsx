import Star from 'lucide-react/icons/star'
import * as Radix from '@radix-ui/react-radio-group'
import { useId } from 'react'
import { FieldMessage } from '#client/ui/field.tsx'
import { plural } from '#client/ui/format.ts'

const marks = [1, 2, 3, 4, 5] as const

export function Stars({ rating }: { rating: number }) {
  return (
    <span role="img" aria-label={`${rating} of 5`} className="relative inline-block flex-none">
      <FiveStars className="text-line-strong" />
      <span
        className="absolute inset-y-0 left-0 overflow-hidden"
        style={{ width: `${(rating / marks.length) * 100}%` }}
      >
        <FiveStars className="fill-current text-warning-ink" />
      </span>
    </span>
  )
}

function FiveStars({ className }: { className: string }) {
  return (
    <span className="flex w-max gap-0.5">
      {marks.map((mark) => (
        <Star key={mark} size={16} aria-hidden="true" className={className} />
      ))}
    </span>
  )
}

interface StarPickerProps {
  value: number
  error: string | undefined
  onChange: (rating: number) => void
}

export function StarPicker({ value, error, onChange }: StarPickerProps) {
  const messageId = useId()
  return (
    <div>
      <Radix.Root
        aria-label="Rating"
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : messageId}
        value={value === 0 ? '' : String(value)}
        orientation="horizontal"
        onValueChange={(next) => onChange(Number(next))}
        className="inline-flex"
      >
        {marks.map((mark) => (
          <Radix.Item
            key={mark}
            value={String(mark)}
            aria-label={plural(mark, 'star')}
            className="inline-flex size-8 items-center justify-center rounded-md hover:bg-hover max-md:size-11 touch:size-11"
          >
            <Star
              size={20}
              aria-hidden="true"
              className={mark <= value ? 'fill-current text-warning-ink' : 'text-control'}
            />
          </Radix.Item>
        ))}
      </Radix.Root>
      <FieldMessage id={messageId} error={error} />
    </div>
  )
}
