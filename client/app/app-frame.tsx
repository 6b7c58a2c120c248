import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { loadWhenIdle } from '#client/lib/idle.ts'
import { useLocation } from 'wouter'
import { BottomNav } from './bottom-nav.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { MenuDrawer } from './menu-drawer.tsx'
import { MoreSheet } from './more-sheet.tsx'
import { ExtraBoundary } from './page-error.tsx'
import { shellParts } from './shell-parts.ts'
import { TopBar } from './top-bar.tsx'
import { UpdateBanner } from './update-banner.tsx'

type Panel = 'menu' | 'more' | 'post-inventory'

/** What stays while pages change: top bar, banners, bottom navigation, and what features hang beside every page. */
export function AppFrame({ children }: { children: ReactNode }) {
  const [panel, setPanel] = useState<Panel>()
  const [path] = useLocation()
  // Another page is what was asked for, so nothing may lie over it.
  useEffect(() => setPanel(undefined), [path])
  const bind = (name: Panel) => ({
    open: panel === name,
    onOpenChange: (open: boolean) => setPanel(open ? name : undefined),
  })
  const head = useFrameTop()
  useEffect(loadIdleParts, [])
  const { PostInventoryDialog, banners, extras } = shellParts
  return (
    <div className="min-h-dvh max-md:pb-[calc(56px+env(safe-area-inset-bottom))]">
      <a href="#main" className="fixed -top-16 left-4 z-90 rounded-md bg-inverse px-3 py-2 text-on-inverse focus:top-2">
        Skip to content
      </a>
      <div ref={head} className="sticky top-0 z-20">
        <TopBar onMenu={() => setPanel('menu')} onPostInventory={() => setPanel('post-inventory')} />
        <ConnectionBanner />
        <UpdateBanner />
        {banners.map((Banner, index) => (
          <Banner key={index} />
        ))}
      </div>
      {children}
      <BottomNav onMore={() => setPanel('more')} />
      <MenuDrawer {...bind('menu')} />
      <MoreSheet {...bind('more')} />
      <ExtraBoundary>
        <Suspense>
          {PostInventoryDialog && panel === 'post-inventory' ? (
            <PostInventoryDialog {...bind('post-inventory')} />
          ) : null}
        </Suspense>
      </ExtraBoundary>
      {extras.map((Extra, index) => (
        <ExtraBoundary key={index}>
          <Suspense>
            <Extra />
          </Suspense>
        </ExtraBoundary>
      ))}
    </div>
  )
}

function loadIdleParts(): () => void {
  const calledOff = shellParts.idle.map(loadWhenIdle)
  return () => {
    for (const callOff of calledOff) callOff()
  }
}

/** Publishes how much of the top the frame covers, so that what sticks below it stays clear of the banners. */
function useFrameTop() {
  const head = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = head.current
    if (!element) return
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--frame-top', `${element.offsetHeight}px`),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return head
}
