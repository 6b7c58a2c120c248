import type { KeyboardEvent, ReactNode } from 'react'
import { Count } from './count.tsx'
import { cx } from './cx.ts'

interface SegmentedOption<Value extends string> {
  value: Value
  label: string
  icon?: ReactNode
  count?: number | undefined
}

interface SegmentedProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly SegmentedOption<Value>[]
  block?: boolean
  className?: string
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function pressNeighbor(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  const parts = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role="radio"]') ?? [])]
  const next = parts.at((parts.indexOf(event.currentTarget) + step) % parts.length)
  next?.focus()
  next?.click()
}

export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
  block,
  className,
}: SegmentedProps<Value>) {
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cx(
        'inline-flex h-10 gap-1 rounded-md bg-pressed p-1 max-md:h-11 max-md:gap-0 max-md:p-0 dark:bg-sunken dark:shadow-[inset_0_0_0_1px_var(--lw-line)]',
        block && 'flex w-full',
        className,
      )}
    >
      {options.map((option) => {
        const chosen = option.value === value
        return (
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={chosen}
            data-state={chosen ? 'checked' : 'unchecked'}
            tabIndex={chosen ? 0 : -1}
            aria-label={option.icon ? option.label : undefined}
            title={option.icon ? option.label : undefined}
            onClick={() => chosen || onChange(option.value)}
            onKeyDown={pressNeighbor}
            className={cx(
              'inline-flex h-8 items-center justify-center gap-2 rounded-sm px-3 font-medium whitespace-nowrap text-ink-2 transition-colors hover:text-ink',
              'data-[state=checked]:bg-surface data-[state=checked]:text-ink data-[state=checked]:shadow-[0_0_0_1px_var(--lw-line),var(--lw-shadow-1)] dark:data-[state=checked]:bg-pressed',
              'max-md:h-11 max-md:rounded-md max-md:border-4 max-md:border-transparent max-md:bg-clip-padding max-md:px-2 max-md:shadow-none! max-md:min-w-11',
              block && 'flex-1',
            )}
          >
            {option.icon ?? option.label}
            {option.count ? (
              <>
                {' '}
                <Count value={option.count} tone="quiet" />
              </>
            ) : null}
          </button>
        )
      })}
    </div>
  )
}
