import * as Radix from '@radix-ui/react-radio-group'
import { useId } from 'react'
import { cx } from './cx.ts'
import type { SelectOption } from './select.tsx'

interface RadioGroupProps<Value extends string> {
  label: string
  value: Value | ''
  onChange: (value: Value) => void
  options: readonly SelectOption<Value>[]
  stacked?: boolean
}

/** A list of options. For two to four short options, use Segmented instead. */
export function RadioGroup<Value extends string>({
  label,
  value,
  onChange,
  options,
  stacked = false,
}: RadioGroupProps<Value>) {
  const id = useId()
  return (
    <Radix.Root
      aria-label={label}
      value={value}
      onValueChange={(chosen) => {
        const option = options.find(({ value }) => value === chosen)
        if (option) onChange(option.value)
      }}
      className={cx('flex gap-x-4 gap-y-2', stacked ? 'flex-col max-md:gap-y-0' : 'flex-wrap')}
    >
      {options.map((option) => (
        <span key={option.value} className="inline-flex items-center gap-2 max-md:min-h-11">
          <Radix.Item
            id={`${id}-${option.value}`}
            value={option.value}
            className="relative size-4 flex-none rounded-full border border-control bg-surface after:absolute after:top-1/2 after:left-1/2 after:size-8 after:-translate-1/2 max-md:after:size-11 touch:after:size-11 data-[state=checked]:border-[5px] data-[state=checked]:border-accent"
          />
          <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
        </span>
      ))}
    </Radix.Root>
  )
}
