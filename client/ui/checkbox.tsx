import Check from 'lucide-react/icons/check'
import * as Radix from '@radix-ui/react-checkbox'
import { type ReactNode, useId } from 'react'

interface CheckboxProps {
  checked: boolean
  onChange: (checked: boolean) => void
  label: ReactNode
  hideLabel?: boolean
  disabled?: boolean
}

export function Checkbox({ checked, onChange, label, hideLabel, disabled }: CheckboxProps) {
  const id = useId()
  return (
    <span className="inline-flex items-center gap-2 align-middle max-md:min-h-11">
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled ?? false}
        onCheckedChange={(value) => onChange(value === true)}
        className="relative flex size-4 flex-none items-center justify-center rounded-sm border border-control bg-surface after:absolute after:top-1/2 after:left-1/2 after:size-8 after:-translate-1/2 max-md:after:size-11 touch:after:size-11 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Indicator>
          <Check size={12} className="text-on-accent [stroke-width:3]" />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : undefined}>
        {label}
      </label>
    </span>
  )
}
