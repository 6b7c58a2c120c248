import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { ReportHost } from '#client/features/moderation/moderation-report-host.tsx'
import { NotificationsWatch } from '#client/features/notifications/notifications-watch.tsx'
import { PromotionsBanner } from '#client/features/promotions/promotions-banner.tsx'
import { SubscriptionBanner } from '#client/features/billing/subscription-banner.tsx'
import { EditGate } from './edit-gate.tsx'
import { UpgradeWatch } from '#client/features/billing/upgrade-watch.tsx'
import { ThemeSync } from './theme-sync.tsx'

interface ShellParts {
  /** Opened by the top bar's Post Inventory button, which is absent without it. */
  PostInventoryDialog?: LazyExoticComponent<ComponentType<{ open: boolean; onOpenChange: (open: boolean) => void }>>
  /** Under the top bar on every page, as the active promotions. */
  banners: readonly ComponentType[]
  /** Beside every page: the messaging dock, the notifications panel. Each decides by itself where it shows. */
  extras: readonly ComponentType[]
  /** Code behind a click, fetched while nothing else happens. */
  idle: readonly (() => Promise<unknown>)[]
}

const loadPostDialog = () => import('#client/features/posting/post-dialog.tsx')

/** What features add to the frame of the signed-in app, a line each. */
export const shellParts: ShellParts = {
  PostInventoryDialog: lazy(async () => ({ default: (await loadPostDialog()).PostDialog })),
  banners: [PromotionsBanner, SubscriptionBanner],
  extras: [
    lazy(async () => ({ default: (await import('#client/features/messaging/messaging.tsx')).Messaging })),
    EditGate,
    NotificationsWatch,
    UpgradeWatch,
    ThemeSync,
    ReportHost,
  ],
  idle: [loadPostDialog],
}
