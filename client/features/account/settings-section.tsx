import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Card } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'

interface SettingsSectionProps {
  /** A link to `/settings#name` opens the section. */
  name: string
  title: string
  hint: string
  cards?: boolean
  children: ReactNode
}

const isLinked = (name: string) => window.location.hash === `#${name}`

/** A collapsible section. Its content is rendered, and its data fetched, only while it is open. */
export function SettingsSection({ name, title, hint, cards = false, children }: SettingsSectionProps) {
  const [isOpen, setOpen] = useState(() => isLinked(name))
  const id = useId()
  useEffect(() => {
    const open = () => isLinked(name) && setOpen(true)
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [name])
  return (
    <Card id={name} className="scroll-mt-[calc(var(--frame-top,3.5rem)+1rem)] overflow-hidden">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-14 w-full items-center gap-3 px-4 py-2 text-left hover:bg-hover"
        >
          <span className="min-w-0 flex-1">
            <span className="block text-sm font-semibold">{title}</span>
            <span className="block text-xs font-normal text-ink-2">{hint}</span>
          </span>
          <ChevronDown
            size={18}
            aria-hidden="true"
            className={cx('flex-none text-ink-2 transition-transform', isOpen && 'rotate-180')}
          />
        </button>
      </h2>
      {isOpen ? (
        <div
          id={id}
          className={cx('border-t border-line', cards ? 'space-y-3 bg-sunken p-3 max-md:px-0' : 'px-4 pt-1 pb-3')}
        >
          {children}
        </div>
      ) : null}
    </Card>
  )
}
