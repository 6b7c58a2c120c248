import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { memo } from 'react'
import * as Radix from '@radix-ui/react-select'
import { cx } from './cx.ts'
import { useFieldControl } from './field.tsx'
import { controlClass } from './input.tsx'

export interface SelectOption<Value extends string = string> {
  value: Value
  label: string
}

interface SelectProps<Value extends string> {
  value: Value | ''
  onChange: (value: Value) => void
  options: readonly SelectOption<Value>[]
  placeholder?: string
  label?: string
  /** Muted text before the value, such as `State` in `State: all`. */
  prefix?: string
  disabled?: boolean
  size?: 'md' | 'lg'
  className?: string
}

/** A list box. Values must not be empty: use a word such as `all` for "no choice". */
export function Select<Value extends string>({
  value,
  onChange,
  options,
  placeholder,
  label,
  prefix,
  disabled,
  size = 'md',
  className,
}: SelectProps<Value>) {
  const { attributes, invalid, auto } = useFieldControl()
  const choose = (chosen: string) => {
    const option = options.find(({ value }) => value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <Radix.Root value={value} onValueChange={choose} disabled={disabled ?? false}>
      <Radix.Trigger
        {...attributes}
        aria-label={label}
        className={cx(
          controlClass({ invalid, auto }),
          'flex items-center gap-1 pr-2 pl-3 text-left data-placeholder:text-ink-3 max-md:h-11 touch:h-11',
          size === 'lg' ? 'h-10 text-base' : 'h-8',
          className,
        )}
      >
        {prefix ? <span className="text-ink-2">{prefix}</span> : null}
        <span className="min-w-0 flex-1 truncate">
          <Radix.Value placeholder={placeholder} />
        </span>
        <Radix.Icon>
          <ChevronDown size={16} className="text-ink-2" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-70 max-h-80 min-w-(--radix-select-trigger-width) animate-rise overflow-hidden rounded-md bg-raised shadow-2"
        >
          <Radix.Viewport className="p-1">
            <Options options={options} />
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Memoized, because Radix renders the options even if the list is closed. */
const Options = memo(function Options({ options }: { options: readonly SelectOption[] }) {
  return options.map(({ value, label }) => (
    <Radix.Item
      key={value}
      value={value}
      className="flex h-8 items-center gap-2 rounded-sm px-2 outline-none data-highlighted:bg-hover max-md:h-11"
    >
      <Radix.ItemText>{label}</Radix.ItemText>
      <Radix.ItemIndicator className="ml-auto">
        <Check size={16} className="text-accent-ink" />
      </Radix.ItemIndicator>
    </Radix.Item>
  ))
})
