import { type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx.ts'

/** A framed region. Below 768 px, it spans the full width, unless it is `inset`. */
export function Card({ inset = false, className, ...rest }: ComponentProps<'section'> & { inset?: boolean }) {
  return (
    <section
      {...rest}
      className={cx(
        'relative rounded-md border border-line bg-surface shadow-1',
        !inset && 'max-md:rounded-none max-md:border-x-0 max-md:shadow-none',
        className,
      )}
    />
  )
}

interface CardHeaderProps {
  title: string
  level?: 2 | 3
  id?: string
  children?: ReactNode
}

export function CardHeader({ title, level = 2, id, children }: CardHeaderProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className="flex min-h-10 items-center justify-between gap-2 px-4 pt-3 pb-1">
      <Heading id={id} className="text-sm font-semibold">
        {title}
      </Heading>
      {children}
    </div>
  )
}

export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx('px-4 pt-1 pb-3', className)} />
}

export function KeyValue({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-2 py-1">
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 truncate text-right">{children}</dd>
    </div>
  )
}
