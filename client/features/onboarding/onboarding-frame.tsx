import Check from 'lucide-react/icons/check'
import { type ReactNode, useEffect, useRef } from 'react'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Brand } from '#client/ui/brand.tsx'
import { cx } from '#client/ui/cx.ts'

const steps = ['Dealer profile', 'Plan and payment'] as const
const reviewedSteps = ['Dealer profile', 'Review', 'Plan and payment'] as const
const freeSteps = reviewedSteps.slice(0, 2)

const asidePages = [
  { href: '/help', label: 'Help' },
  { href: '/contact', label: 'Contact' },
  { href: '/privacy', label: 'Privacy' },
] as const

interface OnboardingFrameProps {
  step: 1 | 2
  /** True if an admin reviews accounts after the profile step and before the plan step. */
  reviewed?: boolean
  title: string
  hint: string
  action?: ReactNode
  onLogOut?: (() => void) | undefined
  children: ReactNode
}

function stepsOf(reviewed: boolean, billing: boolean): readonly string[] {
  if (!reviewed) return steps
  return billing ? reviewedSteps : freeSteps
}

export function OnboardingFrame({
  step,
  reviewed = false,
  title,
  hint,
  action,
  onLogOut,
  children,
}: OnboardingFrameProps) {
  const billing = useBilling()
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [step])
  return (
    <>
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex h-14 max-w-[65rem] items-center justify-between gap-4 px-6 max-md:px-4">
          <Brand compact />
          {billing || reviewed ? <Steps names={stepsOf(reviewed, billing)} current={step} /> : null}
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1} className="mx-auto max-w-[65rem] px-6 pt-6 pb-16 max-md:px-0">
        <div className="mb-4 flex flex-wrap items-start justify-between gap-3 max-md:px-4">
          <div>
            <h1 className="text-lg font-semibold tracking-lg">{title}</h1>
            <p className="text-ink-2">{hint}</p>
          </div>
          {action}
        </div>
        {children}
      </main>
      <Aside onLogOut={onLogOut} />
    </>
  )
}

const asideLink = 'inline-flex min-h-11 min-w-11 items-center text-ink-2 hover:text-ink hover:underline'

function Aside({ onLogOut }: Pick<OnboardingFrameProps, 'onLogOut'>) {
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto flex max-w-[65rem] flex-wrap gap-x-6 px-6 py-2 max-md:px-4">
        {asidePages.map(({ href, label }) => (
          <a key={href} href={`${href}?public`} className={asideLink}>
            {label}
          </a>
        ))}
        {onLogOut ? (
          <button type="button" className={cx(asideLink, 'ml-auto')} onClick={onLogOut}>
            Log Out
          </button>
        ) : null}
      </div>
    </footer>
  )
}

function Steps({ names, current }: { names: readonly string[]; current: 1 | 2 }) {
  return (
    <ol className="flex items-center gap-3">
      {names.map((name, index) => {
        const done = index + 1 < current
        const here = index + 1 === current
        return (
          <li
            key={name}
            aria-current={here ? 'step' : undefined}
            className={cx(
              'flex items-center gap-2 font-medium',
              here ? 'text-ink' : 'text-ink-2 max-md:[&>span]:sr-only',
              index > 0 && 'before:h-px before:w-8 before:bg-line-strong max-md:before:w-4',
            )}
          >
            <i
              aria-hidden="true"
              className={cx(
                'num flex size-7 flex-none items-center justify-center rounded-full text-xs font-semibold not-italic',
                done && 'bg-success text-on-solid',
                here && 'bg-accent text-on-accent',
                !done && !here && 'bg-pressed text-ink-2',
              )}
            >
              {done ? <Check size={14} /> : index + 1}
            </i>
            <span>
              {name}
              {done ? <span className="sr-only"> (done)</span> : null}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
