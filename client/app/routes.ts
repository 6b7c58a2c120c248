import type { QueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { adminRoutes } from '#client/pages/admin/admin-routes.tsx'
import { lazyPart as page, type LazyPage } from '#client/lib/screen/lazy-part.ts'
import type { PageColumns } from './page-layout.tsx'

export interface AppRoute {
  path: string
  Page: LazyPage
  prepare?: (cache: QueryClient, me: CurrentUser) => Promise<unknown>
  /** Hides the top bar, the bottom navigation and the dock. Used for onboarding and checkout. */
  bare?: boolean
  /** The columns that the skeleton shows while the page's code loads. */
  columns?: PageColumns
  /** True if the page has no margins. */
  full?: boolean
  /** True if the page exists only when billing is on. */
  billing?: boolean
}

/** Routes for links in emails. They work whether or not a dealer is signed in. */
export const mailedRoutes: readonly AppRoute[] = [
  { path: '/reset', Page: page(() => import('#client/pages/reset.tsx').then((file) => file.ResetPage)), bare: true },
  {
    path: '/verify-email',
    Page: page(() => import('#client/pages/verify-email.tsx').then((file) => file.VerifyEmailPage)),
    bare: true,
  },
  {
    path: '/demo-mail',
    Page: page(() => import('#client/pages/demo-mail.tsx').then((file) => file.DemoMailPage)),
    bare: true,
  },
]

const information = (path: string, name: 'Help' | 'HelpArticle' | 'Contact' | 'Privacy' | 'Status'): AppRoute => ({
  path,
  Page: page(() => import('#client/pages/information.tsx').then((file) => file[`${name}InApp`])),
})

export const signedInRoutes: readonly AppRoute[] = [
  {
    path: '/',
    columns: 'both',
    Page: page(() => import('#client/pages/home.tsx').then((file) => file.HomePage)),
    prepare: async (cache, me) => (await import('#client/pages/home.tsx')).prepareHome(cache, me),
  },
  {
    path: '/post/:id',
    Page: page(() => import('#client/pages/post.tsx').then((file) => file.PostPage)),
    columns: 'both',
  },
  { path: '/deals/:id?', Page: page(() => import('#client/pages/deals.tsx').then((file) => file.DealsPage)) },
  { path: '/lane', Page: page(() => import('#client/pages/lane.tsx').then((file) => file.LanePage)), full: true },
  {
    path: '/dealers',
    Page: page(() => import('#client/pages/dealers.tsx').then((file) => file.DealersPage)),
    columns: 'left',
  },
  {
    path: '/my-dealers',
    Page: page(() => import('#client/pages/dealers.tsx').then((file) => file.MyDealersPage)),
    columns: 'left',
  },
  {
    path: '/discover',
    Page: page(() => import('#client/pages/dealers.tsx').then((file) => file.DiscoverPage)),
    columns: 'left',
  },
  {
    path: '/dealers/:id',
    Page: page(() => import('#client/pages/dealer.tsx').then((file) => file.DealerPage)),
    columns: 'both',
  },
  {
    path: '/dealer-profile',
    columns: 'left',
    Page: page(() => import('#client/pages/dealer-profile.tsx').then((file) => file.DealerProfilePage)),
  },
  {
    path: '/profile-edit',
    columns: 'left',
    Page: page(() => import('#client/pages/profile-edit.tsx').then((file) => file.ProfileEditPage)),
  },
  {
    path: '/settings',
    Page: page(() => import('#client/pages/settings.tsx').then((file) => file.SettingsPage)),
    columns: 'left',
  },
  { path: '/find', Page: page(() => import('#client/pages/find.tsx').then((file) => file.FindPage)) },
  { path: '/wanted', Page: page(() => import('#client/pages/wanted.tsx').then((file) => file.WantedPage)) },
  {
    path: '/watchlist',
    Page: page(() => import('#client/pages/watchlist.tsx').then((file) => file.WatchlistPage)),
    columns: 'both',
  },
  {
    path: '/notifications',
    columns: 'both',
    Page: page(() => import('#client/pages/notifications.tsx').then((file) => file.NotificationsPage)),
  },
  {
    path: '/wholesale-news',
    columns: 'left',
    Page: page(() => import('#client/pages/wholesale-news.tsx').then((file) => file.WholesaleNewsPage)),
  },
  {
    path: '/wholesale-news/:slug',
    columns: 'left',
    Page: page(() => import('#client/pages/wholesale-news.tsx').then((file) => file.NewsArticlePage)),
  },
  {
    path: '/subscribe',
    Page: page(() => import('#client/pages/subscribe.tsx').then((file) => file.SubscribePage)),
    billing: true,
  },
  {
    path: '/plan-management',
    Page: page(() => import('#client/pages/plan-management.tsx').then((file) => file.PlanManagementPage)),
    billing: true,
  },
  {
    path: '/onboarding',
    Page: page(() => import('#client/pages/onboarding.tsx').then((file) => file.OnboardingPage)),
    bare: true,
  },
  {
    path: '/payment',
    Page: page(() => import('#client/pages/payment.tsx').then((file) => file.PaymentPage)),
    bare: true,
    billing: true,
  },
  ...adminRoutes,
  ...mailedRoutes,
  information('/help', 'Help'),
  information('/help/:slug', 'HelpArticle'),
  information('/contact', 'Contact'),
  information('/privacy', 'Privacy'),
  information('/status', 'Status'),
  { path: '/messages', Page: page(() => import('#client/pages/messages.tsx').then((file) => file.MessagesPage)) },
]

/** The only pages of the app that visitors can open. All their other pages come from the server. */
export const signedOutRoutes: readonly AppRoute[] = [
  { path: '/login', Page: page(() => import('#client/pages/login.tsx').then((file) => file.LoginPage)) },
  { path: '/setup', Page: page(() => import('#client/pages/setup.tsx').then((file) => file.SetupPage)) },
  ...mailedRoutes,
]

export const NotFound = page(() => import('#client/pages/not-found.tsx').then((file) => file.NotFoundPage))
