import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import type { ReactNode } from 'react'
import t from 'tap'
import Type from 'typebox'
import { useNavItems } from '#client/app/nav-items.tsx'
import { ApiKeysCard } from '#client/features/account/api-keys-card.tsx'
import { SettingsNotifications } from '#client/features/account/settings-notifications.tsx'
import { AdminAudit } from '#client/features/admin/audit/admin-audit.tsx'
import { AdminHome } from '#client/features/admin/home/admin-home.tsx'
import { AdminPromotions } from '#client/features/admin/published/admin-promotions.tsx'
import { PlanManagement } from '#client/features/billing/plan/plan-management.tsx'
import { SubscriptionBanner } from '#client/features/billing/subscription-banner.tsx'
import { OnboardingReview } from '#client/features/onboarding/onboarding-review.tsx'
import { BillingContext } from '#client/lib/session/billing-enabled.ts'
import { renderPage, sitePages } from '#client/prerender.tsx'
import type { Entitlement } from '#shared/entitlements.ts'
import { BillingOverview, MySubscription, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { AdminOverview } from '#shared/schemas/admin.ts'
import { AuditPage } from '#shared/schemas/audit.ts'
import { Promotion, PromotionChange } from '#shared/schemas/promotions.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { press, says } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, sent } from '#tests/support/network.ts'
import { aCurrentUser } from '#tests/support/records.ts'

const template = '<html lang="en"><head><title>Lanewire</title></head><body><!--page--></body></html>'
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ')
const ofPayment =
  /\bpricing\b|per month|billed|\b(Basic|Premium|Enterprise)\b|subscription plan|your plan\b|\$\d+ ?\/?month|card details/i

t.test('mentions no price, plan or payment on public pages without billing', async (t) => {
  const free = sitePages(false)
  const gone = sitePages(true).filter(({ path }) => !free.some((page) => page.path === path))
  t.same(
    gone.map(({ path }) => path),
    ['/pricing', '/help/plans-and-payment'],
  )
  for (const page of free) {
    const html = renderPage(template, page, { billing: false, demo: true })
    t.match(html, '<html data-billing="off" ', page.path)
    t.notMatch(html, /href="\/(pricing|subscribe|help\/plans-and-payment)/, page.path)
    // Blog articles may mention prices of cars.
    if (!page.path.startsWith('/blog/')) t.equal(ofPayment.exec(textOf(html))?.[0], undefined, page.path)
  }
})

t.test('shows plans on public pages with billing', async (t) => {
  const pages = new Map(
    sitePages(true).map((page) => [page.path, renderPage(template, page, { billing: true, demo: true })]),
  )
  t.match(pages.get('/'), /href="\/pricing".*data-island="plan-cards"/s)
  t.match(pages.get('/security'), 'Card details are handled by our payment provider')
  t.notMatch(pages.get('/'), 'data-billing')
})

function Links() {
  return useNavItems().map(({ href, label }) => <p key={href}>{label}</p>)
}

const both = (children: ReactNode, billing: boolean) => <BillingContext value={billing}>{children}</BillingContext>

t.test('requires, offers and reports no plan inside the app', async (t) => {
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/my-subscription', () =>
      answer(MySubscription, { hasSubscription: false, subscription: null, entitlements: [] }),
    ),
    http.get('*/api/api-keys', () => new Response('[]', { headers: { 'content-type': 'application/json' } })),
  )
  const screens = (
    <>
      <Links />
      <SubscriptionBanner />
      <ApiKeysCard apiAccess={false} />
      <SettingsNotifications settings={settingsOf({})} onChange={() => undefined} />
    </>
  )
  const words = ['Plan Management', 'Subscription']
  const shown = () => words.filter((word) => screen.queryByText(word) !== null)
  const paid = show(t, both(screens, true))
  await says(/To post inventory or bid/)
  await becomes(t, shown, words)
  t.ok(screen.getByText(/API keys come with the Enterprise Plan/))
  paid.unmount()
  show(t, both(screens, false))
  t.ok(screen.getByText(/An admin grants API access/))
  await becomes(t, shown, [])
  t.equal(screen.queryByText(/To post inventory or bid/), null)
})

t.test('says what a dealer without a plan can do on this network', async (t) => {
  let entitlements: Entitlement[] = ['posting', 'bidding', 'messaging']
  fakeNetwork(t).use(
    http.get('*/api/my-subscription', () =>
      answer(MySubscription, { hasSubscription: false, subscription: null, entitlements }),
    ),
    http.get('*/api/billing', () => answer(BillingOverview, { invoices: [], paymentMethod: null })),
    http.get('*/api/subscription-plans', () => answer(Type.Array(SubscriptionPlan), [])),
    http.get('*/api/payment-config', away),
  )
  const page = () => show(t, <PlanManagement demo={false} />)
  const free = page()
  await says(/You can post, bid and message without one/)
  free.unmount()
  entitlements = []
  page()
  await says(/A plan lets you post inventory and bid/)
})

t.test('shows an admin neither revenue nor prices', async (t) => {
  const overview: AdminOverview = {
    monthlyRevenue: 0,
    annualRevenue: 0,
    subscribers: 0,
    gifts: 0,
    addOns: 0,
    refundedThisMonth: 0,
    dealers: 12,
    pendingDeals: 3,
    activePromotions: 0,
    openReports: 0,
    waitingMessages: 0,
    unverifiedLicenses: 0,
    waitingAccounts: 0,
    distribution: [],
  }
  fakeNetwork(t).use(
    http.get('*/api/admin/overview', () => answer(AdminOverview, overview)),
    http.get('*/api/admin/backups', away),
  )
  show(t, both(<AdminHome aside={null} />, false))
  t.ok(await screen.findByText('Pending review'))
  for (const word of ['Monthly revenue', 'Annual revenue', 'Pricing Edits', 'Revenue Distribution'])
    t.equal(screen.queryByText(word), null, word)
})

t.test('makes promotions for everybody and marks plan-specific ones as shown to nobody', async (t) => {
  const old: Promotion = {
    id: randomUUID(),
    title: 'Upgrade in May',
    message: 'Half the fee',
    type: 'promotion',
    targetAudience: 'basic',
    startDate: '2026-01-01',
    endDate: '2099-12-31',
    isActive: true,
    version: 1,
  }
  const heard: unknown[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/promotions', () => answer(Type.Array(Promotion), [old])),
    http.patch(`*/api/admin/promotions/${old.id}`, async ({ request }) => {
      heard.push(await sent(PromotionChange, request))
      return answer(Promotion, { ...old, targetAudience: 'all' })
    }),
  )
  show(t, both(<AdminPromotions />, false))
  await says('ACTIVE, not shown to anyone')
  await says(/Edit it to show it to everyone/)
  t.equal(screen.queryByRole('combobox', { name: 'Audience' }), null)
  await press('EDIT')
  await press('Save')
  await says('Promotion saved')
  t.match(heard, [{ targetAudience: 'all' }])
})

t.test('promises no plan to a waiting dealer and leaves plans out of the audit log', async (t) => {
  fakeNetwork(t).use(http.get('*/api/admin/audit', () => answer(AuditPage, { entries: [], nextCursor: null })))
  const nothing = () => undefined
  const review = <OnboardingReview profile={{ email: 'ann@lee.example' }} onEdit={nothing} onLogOut={nothing} />
  const me = aCurrentUser({ admission: 'waiting' })
  const paid = show(t, both(review, true), me)
  await says(/Next, you choose a plan/)
  paid.unmount()
  const free = (
    <>
      {review}
      <AdminAudit />
    </>
  )
  const { container } = show(t, both(free, false), me)
  await says(/and can use the network/)
  t.notMatch(container.textContent, /\bplan\b|charged/)
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Kind' }), { key: 'ArrowDown' })
  await screen.findByRole('option', { name: 'Second factors' })
  for (const name of ['Plans', 'Add-ons', 'Dealer plans', 'Complimentary plans', 'Refunds'])
    t.equal(screen.queryByRole('option', { name }), null, name)
})
