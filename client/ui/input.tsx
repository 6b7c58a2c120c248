import Search from 'lucide-react/icons/search'
import { type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { useFieldControl } from './field.tsx'

export function controlClass({ invalid, auto }: { invalid: boolean; auto: boolean }): string {
  return cx(
    'block w-full min-w-0 rounded-md border text-ink transition-colors',
    'hover:border-ink-3 focus:border-focus focus:outline-2 focus:-outline-offset-1 focus:outline-focus',
    'disabled:border-line-strong disabled:bg-hover disabled:text-ink-3',
    'max-md:text-md touch:text-md',
    invalid ? 'border-danger outline-1 -outline-offset-2 outline-danger' : 'border-control',
    auto ? 'bg-success-soft' : 'bg-surface',
  )
}

interface InputProps extends Omit<ComponentProps<'input'>, 'size'> {
  size?: 'md' | 'lg'
  trailing?: ReactNode
}

export function Input({ size = 'md', trailing, className, ...rest }: InputProps) {
  const { attributes, invalid, auto } = useFieldControl()
  const input = (
    <input
      {...attributes}
      {...rest}
      className={cx(
        controlClass({ invalid: invalid || rest['aria-invalid'] === true, auto }),
        'px-3 max-md:h-11 touch:h-11',
        size === 'lg' ? 'h-10 text-base' : 'h-8',
        // Use `inline-flex`, because in a block, WebKit aligns the text of a date input to the top.
        rest.type?.startsWith('date') ? 'inline-flex! items-center' : undefined,
        trailing ? 'pr-16' : undefined,
        className,
      )}
    />
  )
  if (!trailing) return input
  return (
    <span className="relative block">
      {input}
      <span className="num pointer-events-none absolute inset-y-0 right-3 flex items-center gap-1 text-ink-2">
        {trailing}
      </span>
    </span>
  )
}

interface SearchInputProps extends Omit<InputProps, 'type' | 'trailing'> {
  label: string
}

/** A search box. It must be inside a `<form role="search">`. */
export function SearchInput({ label, className, ...rest }: SearchInputProps) {
  return (
    <span className={cx('relative block min-w-0', className)}>
      <Search size={16} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-2 -mt-2 text-ink-3" />
      <Input {...rest} type="search" aria-label={label} className="pl-8" />
    </span>
  )
}
