import { Check } from 'lucide-react'
import * as Radix from 'radix-ui/dropdown-menu'
import { type ReactNode } from 'react'
import { Link } from 'wouter'
import { cx } from './cx.ts'

const item =
  'flex h-8 w-full items-center gap-2 rounded-sm px-2 text-left outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-hover max-md:h-11 touch:h-11 [&>svg]:text-ink-2'

interface MenuProps {
  /** One element that can hold a ref, usually a button. */
  trigger: ReactNode
  align?: 'start' | 'end'
  children: ReactNode
}

/** A list of acts under a button. Every item has words; icons only accompany them. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={8}
          collisionPadding={8}
          className="z-50 min-w-50 animate-rise rounded-md bg-raised p-1 shadow-2"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface MenuItemProps {
  icon?: ReactNode
  onSelect: () => void
  disabled?: boolean
  destructive?: boolean
  children: ReactNode
}

export function MenuItem({ icon, onSelect, disabled, destructive, children }: MenuItemProps) {
  return (
    <Radix.Item
      disabled={disabled ?? false}
      onSelect={onSelect}
      className={cx(item, destructive && 'text-danger-ink [&>svg]:text-danger-ink')}
    >
      {icon}
      {children}
    </Radix.Item>
  )
}

export function MenuLink({ icon, href, children }: { icon?: ReactNode; href: string; children: ReactNode }) {
  return (
    <Radix.Item asChild>
      <Link href={href} className={item}>
        {icon}
        {children}
      </Link>
    </Radix.Item>
  )
}

interface MenuChoiceProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string }[]
}

/** One of a few, with a check at the chosen one. */
export function MenuChoice<Value extends string>({ label, value, onChange, options }: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} aria-label={label}>
      <Radix.Label className="px-2 py-1 text-xs text-ink-3">{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          onSelect={(event) => {
            event.preventDefault()
            onChange(option.value)
          }}
          className={item}
        >
          {option.label}
          <Radix.ItemIndicator className="ml-auto">
            <Check size={16} className="text-accent-ink" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
}
