import RefreshCw from 'lucide-react/icons/refresh-cw'
import WifiOff from 'lucide-react/icons/wifi-off'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useConnection, useUpdateWaiting } from '#client/lib/live/connection.ts'
import { loadWhenIdle } from '#client/lib/screen/load-when-idle.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { Banner } from '#client/ui/banner.tsx'
import { BottomNav } from './bottom-nav.tsx'
import { ExtraBoundary } from './page-error.tsx'
import { postInventory } from './post-inventory.ts'
import { shellParts } from './shell-parts.tsx'
import { TopBar } from './top-bar.tsx'

function ConnectionBanner() {
  if (useConnection() !== 'offline') return null
  return (
    <Banner tone="warning" icon={<WifiOff size={16} aria-hidden="true" />}>
      Reconnecting… showing updates every 30 seconds
    </Banner>
  )
}

/** Shown after a deploy. Tabs stay open all day, so the dealer chooses when to reload. */
function UpdateBanner() {
  if (!useUpdateWaiting()) return null
  return (
    <Banner icon={<RefreshCw size={16} aria-hidden="true" />}>
      A new version of Lanewire is ready.{' '}
      <button type="button" className="underline max-md:py-3" onClick={() => window.location.reload()}>
        Reload
      </button>
    </Banner>
  )
}

const MenuDrawer = lazyPart(async () => (await import('./menu-drawer.tsx')).MenuDrawer)
const MoreSheet = lazyPart(async () => (await import('./more-sheet.tsx')).MoreSheet)

type Panel = 'menu' | 'more' | 'post-inventory'

export function AppFrame({ children }: { children: ReactNode }) {
  const [panel, setPanel] = useState<Panel>()
  const [path] = useLocation()
  // Close panels on navigation, so that they do not cover the new page.
  useEffect(() => setPanel(undefined), [path])
  const asked = postInventory.use((state) => state.asked)
  useEffect(() => {
    if (!asked) return
    setPanel('post-inventory')
    postInventory.set((state) => void (state.asked = false))
  }, [asked])
  const bind = (name: Panel) => ({
    open: panel === name,
    onOpenChange: (open: boolean) => setPanel(open ? name : undefined),
  })
  const head = useFrameTop()
  useEffect(loadIdleParts, [])
  const { PostInventoryDialog, banners, extras } = shellParts
  return (
    <div className="min-h-dvh max-md:pb-[calc(3.5rem+env(safe-area-inset-bottom))]">
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
      <div className="beside:pl-106">{children}</div>
      <BottomNav onMore={() => setPanel('more')} />
      <ExtraBoundary>
        <Suspense>
          {panel === 'menu' ? <MenuDrawer {...bind('menu')} /> : null}
          {panel === 'more' ? <MoreSheet {...bind('more')} /> : null}
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
  const cancels = shellParts.idle.map(loadWhenIdle)
  return () => {
    for (const cancel of cancels) cancel()
  }
}

/** Publishes the height of the top bar and banners as a CSS variable, which positions sticky elements below them. */
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
