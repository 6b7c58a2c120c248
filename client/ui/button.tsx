import { type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-ghost' | 'on'
export type ButtonSize = 'sm' | 'md' | 'lg'

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'bg-surface border-line-strong text-ink hover:bg-hover',
  ghost: 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border-transparent bg-danger text-on-solid',
  'danger-ghost': 'border-transparent text-danger-ink hover:bg-danger-soft',
  on: 'border-transparent bg-accent-soft text-accent-ink',
}

const sizes: Record<ButtonSize, string> = {
  sm: 'h-7 px-2 gap-1 text-xs',
  md: 'h-8 px-3 gap-2 text-sm',
  lg: 'h-10 px-4 gap-2 text-base',
}

export interface ButtonLook {
  /** Use only one primary button per region. `on` is for toggles that are on, such as Connected. */
  variant?: ButtonVariant
  size?: ButtonSize
  block?: boolean
  className?: string | undefined
}

/** Returns a button's classes, for an element that has to stay a link. */
export function buttonClass({ variant = 'secondary', size = 'md', block = false, className }: ButtonLook): string {
  return cx(
    'inline-flex select-none items-center justify-center rounded-md border font-medium whitespace-nowrap transition-colors',
    'disabled:cursor-not-allowed disabled:border-transparent disabled:bg-hover disabled:text-ink-3',
    'max-md:h-11 max-md:min-w-11 max-md:text-base touch:h-11 touch:min-w-11',
    variants[variant],
    sizes[size],
    block && 'w-full',
    className,
  )
}

interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'className'> {
  icon?: ReactNode
  /** Shows a spinner and ignores presses. Unlike a disabled button, a busy one keeps focus. Pass the text for this state as `children`. */
  busy?: boolean
}

const busyClass = (variant: ButtonLook['variant']) =>
  cx(
    'aria-busy:cursor-not-allowed',
    variant === 'primary'
      ? 'aria-busy:bg-accent disabled:bg-accent disabled:text-on-accent'
      : 'aria-busy:border-transparent aria-busy:bg-hover aria-busy:text-ink-3',
  )

/** A button. `type` defaults to `button`, so that it does not submit a form by accident. */
export function Button(props: ButtonProps) {
  const { variant, size, block, className, icon, busy = false, children, onClick, ...rest } = props
  const refuse = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? refuse : onClick}
      className={cx(
        buttonClass({ ...(variant && { variant }), ...(size && { size }), ...(block && { block }), className }),
        busy && busyClass(variant),
      )}
    >
      {busy ? <Spinner size={12} /> : icon}
      {children}
    </button>
  )
}
