import * as Radix from '@radix-ui/react-switch'
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'

interface SwitchProps {
  checked: boolean
  onChange: (checked: boolean) => void
  label: string
  hint?: ReactNode
  /** True while the change is in flight. The switch then ignores presses, but unlike a disabled switch, it keeps focus. */
  busy?: boolean
  /** Hides the label visually. Use it if the state is shown next to the switch. */
  hideLabel?: boolean
  /** `row`: label on the left and switch on the right, as in settings. `inline`: switch first. */
  layout?: 'row' | 'inline'
}

/** An on/off setting. For other choices in a form, use Checkbox. */
export function Switch({ checked, onChange, label, hint, busy = false, hideLabel, layout = 'inline' }: SwitchProps) {
  const id = useId()
  return (
    <div
      className={cx('flex items-center gap-3 max-md:min-h-11', layout === 'row' && 'flex-row-reverse justify-between')}
    >
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={busy ? undefined : onChange}
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative h-5 w-9 flex-none rounded-full bg-control transition-colors after:absolute after:-inset-3 aria-disabled:opacity-60 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 translate-x-0.5 rounded-full bg-white transition-transform data-[state=checked]:translate-x-[1.125rem] dark:data-[state=checked]:bg-on-accent" />
      </Radix.Root>
      <div className="min-w-0">
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium'}>
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="text-xs text-ink-2">
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  )
}
