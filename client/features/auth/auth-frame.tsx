import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Brand } from '#client/ui/brand.tsx'
import { TickerList } from './ticker-list.tsx'

/** The frame around the sign-in forms. The panel beside the form, shown from 1024 px up, is dark in both themes. */
export function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] bg-surface lg:grid-cols-2">
      <main id="main" className="flex flex-col px-12 py-8 max-md:px-4 max-md:py-6">
        <Link href="/" aria-label="Lanewire home" className="inline-flex w-fit items-center rounded-sm max-md:min-h-11">
          <Brand />
        </Link>
        {children}
        <p className="text-xs text-ink-3">Verified automotive dealers only.</p>
      </main>
      <aside
        data-theme="dark"
        aria-label="On the wire now"
        className="relative flex flex-col justify-center overflow-hidden bg-canvas px-16 py-12 text-ink max-lg:hidden"
      >
        <div aria-hidden="true" className="lane-lines absolute inset-0" />
        <TickerList />
      </aside>
    </div>
  )
}
