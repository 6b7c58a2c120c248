import { type ComponentType, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { AddressWatch } from '#client/features/auth/address-watch.tsx'
import { useOpenedAuction } from '#client/features/auctions/auctions.store.ts'
import { DealsWatch } from '#client/features/deals/deals-watch.tsx'
import { ReportHost } from '#client/features/moderation/moderation-report-host.tsx'
import { NotificationsWatch } from '#client/features/notifications/notifications-watch.tsx'
import { PromotionsBanner } from '#client/features/promotions/promotions-banner.tsx'
import { SubscriptionBanner } from '#client/features/billing/subscription-banner.tsx'
import { UpgradeWatch } from '#client/features/billing/upgrade-watch.tsx'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { loadWhenIdle } from '#client/lib/idle.ts'
import { lazyPart } from '#client/lib/lazy-part.ts'
import { loadQuestions } from '#client/ui/confirm-dialog.tsx'
import { loadMenus } from '#client/ui/menu.tsx'
import { settingsOf } from '#shared/settings-defaults.ts'
import { ExtraBoundary } from './page-error.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { setTheme } from './theme.ts'

interface ShellParts {
  /** Opened by the top bar's Post Inventory button, which is absent without it. */
  PostInventoryDialog?: ComponentType<{ open: boolean; onOpenChange: (open: boolean) => void }>
  /** Under the top bar on every page, as the active promotions. */
  banners: readonly ComponentType[]
  /** Beside every page: the messaging dock, the notifications panel. Each decides by itself where it shows. */
  extras: readonly ComponentType[]
  /** Code behind a click, fetched while nothing else happens. */
  idle: readonly (() => Promise<unknown>)[]
}

const EditPost = lazyPart(async () => (await import('#client/pages/edit-post.tsx')).EditPost)

/** The edit dialog opens over any page whose address says `edit=<post>`: its code comes with the first one. */
function EditGate() {
  const [params] = useSearchParams()
  return params.get('edit') ? <EditPost /> : null
}

const OpenedAuction = lazyPart(async () => (await import('#client/pages/auction-popup.tsx')).OpenedAuction)

/** An auction opens beside any page, or over it: its code comes with the first one. */
function AuctionGate() {
  return useOpenedAuction() ? <OpenedAuction /> : null
}

/** The dealer's saved theme, on every device: a change elsewhere arrives here, too. */
function ThemeSync() {
  const { theme } = settingsOf(useCurrentDealer().settings)
  const first = useRef(true)
  useEffect(() => {
    // Somebody who never chose keeps what this device shows.
    if (first.current && theme === 'system') first.current = false
    else setTheme(theme)
    first.current = false
  }, [theme])
  return null
}

const loadUnsentPosts = () => import('#client/features/posting/unsent-posts.tsx')
const UnsentPosts = lazyPart(async () => (await loadUnsentPosts()).UnsentPosts)

/** What could not be posted without a connection: looked for once the page stands. */
function UnsentPostsLater() {
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => loadWhenIdle(() => loadUnsentPosts().then(() => setLoaded(true))), [])
  if (!isLoaded) return null
  return (
    <ExtraBoundary>
      <Suspense>
        <UnsentPosts />
      </Suspense>
    </ExtraBoundary>
  )
}

const loadPostDialog = () => import('#client/pages/post-inventory.tsx')

/** What features add to the frame of the signed-in app, a line each. */
export const shellParts: ShellParts = {
  PostInventoryDialog: lazyPart(async () => (await loadPostDialog()).PostInventory),
  banners: [PromotionsBanner, SubscriptionBanner, UnsentPostsLater],
  extras: [
    lazyPart(async () => (await import('#client/features/messaging/messaging.tsx')).Messaging),
    EditGate,
    AuctionGate,
    Shortcuts,
    NotificationsWatch,
    DealsWatch,
    UpgradeWatch,
    AddressWatch,
    ThemeSync,
    ReportHost,
  ],
  idle: [loadPostDialog, loadMenus, loadQuestions],
}
