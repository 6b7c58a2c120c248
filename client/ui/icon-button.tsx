import { type ComponentProps, type ReactNode } from 'react'
import { Link } from 'wouter'
import { cappedCount, Count } from './count.tsx'
import { cx } from './cx.ts'

interface IconLook {
  label: string
  icon: ReactNode
  size?: 'sm' | 'md'
  /** Draws a border, for a single icon in a list row. */
  line?: boolean
  current?: boolean
  count?: number
  counted?: string
  className?: string
}

function look({ size = 'md', line, current, className }: Omit<IconLook, 'label' | 'icon' | 'counted'>): string {
  return cx(
    'relative inline-flex flex-none items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink',
    'disabled:cursor-not-allowed disabled:bg-transparent disabled:text-ink-3',
    'aria-pressed:bg-accent-soft aria-pressed:text-accent-ink aria-pressed:[&_svg]:fill-current aria-pressed:[&_svg]:[fill-opacity:.18]',
    'max-md:size-11 touch:size-11',
    size === 'sm' ? 'size-7' : 'size-8',
    line && 'border border-line-strong',
    current && 'bg-accent-soft text-accent-ink',
    className,
  )
}

function nameOf(label: string, count: number | undefined, counted = 'unread'): string {
  return count ? `${label}, ${cappedCount(count)} ${counted}` : label
}

type IconButtonProps = Omit<IconLook, 'counted'> &
  Omit<ComponentProps<'button'>, 'className' | 'aria-label' | 'children'>

/** A button with an icon. For a toggle, pass `aria-pressed` and a label that names the next action. */
export function IconButton({ label, icon, size, line, current, count, className, ...rest }: IconButtonProps) {
  const shape = {
    ...(size && { size }),
    ...(line && { line }),
    ...(current && { current }),
    ...(className && { className }),
  }
  return (
    <button type="button" {...rest} data-tooltip={label} aria-label={nameOf(label, count)} className={look(shape)}>
      {icon}
      {count ? <Count value={count} corner /> : null}
    </button>
  )
}

export function IconLink({ label, icon, href, count, counted, ...shape }: IconLook & { href: string }) {
  return (
    <Link
      href={href}
      data-tooltip={label}
      aria-label={nameOf(label, count, counted)}
      aria-current={shape.current ? 'page' : undefined}
      className={look(shape)}
    >
      {icon}
      {count ? <Count value={count} corner /> : null}
    </Link>
  )
}
