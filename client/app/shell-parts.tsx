import { useQuery } from '@tanstack/react-query'
import { type ComponentType, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { authStatusQuery } from '#client/features/auth/auth.api.ts'
import { AddressWatch } from '#client/features/auth/address-watch.tsx'
import { useOpenedAuction } from '#client/features/auctions/auction-popup.store.ts'
import { DemoStripPlace, storedSteps } from '#client/features/demo/demo-strip-place.tsx'
import { DealsNavCount } from '#client/features/deals/deals-nav-count.tsx'
import { LaneRunning } from '#client/features/lane/lane-running.tsx'
import { ReportHost } from '#client/features/moderation/moderation-report-host.tsx'
import { NotificationsWatch } from '#client/features/notifications/notifications-watch.tsx'
import { PromotionsBanner } from '#client/features/promotions/promotions-banner.tsx'
import { SubscriptionBanner } from '#client/features/billing/subscription-banner.tsx'
import { UpgradeWatch } from '#client/features/billing/upgrade-watch.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { loadWhenIdle } from '#client/lib/screen/load-when-idle.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { loadQuestions } from '#client/ui/confirm-dialog.tsx'
import { loadMenus } from '#client/ui/menu.tsx'
import { settingsOf } from '#shared/settings-defaults.ts'
import { ExtraBoundary } from './page-error.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { setTheme } from './theme.ts'

interface ShellParts {
  /** If undefined, the top bar's Post Inventory button is hidden. */
  PostInventoryDialog?: ComponentType<{ open: boolean; onOpenChange: (open: boolean) => void }>
  banners: readonly ComponentType[]
  /** Components beside every page, such as the messaging dock. Each component decides when it is visible. */
  extras: readonly ComponentType[]
  /** Functions that load code needed only after a click. They run when the browser is idle. */
  idle: readonly (() => Promise<unknown>)[]
}

const EditPost = lazyPart(async () => (await import('#client/pages/edit-post.tsx')).EditPost)

/** Opens the edit dialog over any page whose URL contains `edit=<post>`. */
function EditGate() {
  const [params] = useSearchParams()
  return params.get('edit') ? <EditPost /> : null
}

const OpenedAuction = lazyPart(async () => (await import('#client/pages/auction-popup.tsx')).OpenedAuction)

function AuctionGate() {
  return useOpenedAuction() ? <OpenedAuction /> : null
}

function ThemeSync() {
  const { theme } = settingsOf(useCurrentDealer().settings)
  const first = useRef(true)
  useEffect(() => {
    // If the dealer never chose a theme, keep the theme that is set on this device.
    if (first.current && theme === 'system') first.current = false
    else setTheme(theme)
    first.current = false
  }, [theme])
  return null
}

const Share = lazyPart(async () => (await import('#client/pages/share.tsx')).Share)

/** Opens content that another app shared, if the URL contains `share`. */
function ShareGate() {
  const [params] = useSearchParams()
  return params.get('share') ? <Share /> : null
}

function partLater(load: () => Promise<ComponentType>): ComponentType {
  const Part = lazyPart(load)
  return function PartLater() {
    const [isLoaded, setLoaded] = useState(false)
    useEffect(() => loadWhenIdle(() => Part.preload().then(() => setLoaded(true))), [])
    if (!isLoaded) return null
    return (
      <ExtraBoundary>
        <Suspense>
          <Part />
        </Suspense>
      </ExtraBoundary>
    )
  }
}

const UnsentPostsLater = partLater(async () => (await import('#client/features/posting/unsent-posts.tsx')).UnsentPosts)
const PushWatchLater = partLater(async () => (await import('#client/features/push/push-watch.tsx')).PushWatch)

const DemoSteps = lazyPart(async () => (await import('#client/pages/demo-steps.tsx')).DemoStepsStrip)

/** Shows the demo steps. Only a demo network loads their code. */
function DemoStepsGate() {
  const { data: status } = useQuery(authStatusQuery())
  const { id, role, profileComplete } = useCurrentDealer()
  if (!status?.demo || role !== 'dealer' || !profileComplete || storedSteps.read(id)?.closed) return null
  return (
    <ExtraBoundary>
      <Suspense fallback={<DemoStripPlace />}>
        <DemoSteps />
      </Suspense>
    </ExtraBoundary>
  )
}

const loadPostDialog = () => import('#client/pages/post-inventory.tsx')

export const shellParts: ShellParts = {
  PostInventoryDialog: lazyPart(async () => (await loadPostDialog()).PostInventory),
  banners: [DemoStepsGate, PromotionsBanner, SubscriptionBanner, UnsentPostsLater],
  extras: [
    lazyPart(async () => (await import('#client/features/messaging/messaging.tsx')).Messaging),
    EditGate,
    AuctionGate,
    ShareGate,
    Shortcuts,
    NotificationsWatch,
    PushWatchLater,
    LaneRunning,
    DealsNavCount,
    UpgradeWatch,
    AddressWatch,
    ThemeSync,
    ReportHost,
  ],
  idle: [loadPostDialog, loadMenus, loadQuestions],
}
