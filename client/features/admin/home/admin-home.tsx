import { useQuery } from '@tanstack/react-query'
import Activity from 'lucide-react/icons/activity'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Handshake from 'lucide-react/icons/handshake'
import ListChecks from 'lucide-react/icons/list-checks'
import Mail from 'lucide-react/icons/mail'
import Megaphone from 'lucide-react/icons/megaphone'
import Newspaper from 'lucide-react/icons/newspaper'
import ScrollText from 'lucide-react/icons/scroll-text'
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Tag from 'lucide-react/icons/tag'
import Users from 'lucide-react/icons/users'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AdminOverview } from '#shared/schemas/admin.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { Card } from '#client/ui/card.tsx'
import { formatMoney, formatNumber, nounOf, plural } from '#client/ui/format.ts'
import { overviewQuery } from '../admin.api.ts'
import { Figures } from '#client/ui/figures.tsx'
import { Load } from './admin-load.tsx'
import { AdminQuickActions } from './admin-quick-actions.tsx'
import { RevenueDistribution } from './admin-revenue.tsx'

interface AdminPage {
  href: string
  title: string
  text: string
  icon: ReactNode
  badge?: (overview: AdminOverview) => { text: string; tone: BadgeTone } | undefined
}

const some = (count: number, text: string, tone: BadgeTone) =>
  count > 0 ? { text: `${formatNumber(count)} ${text}`, tone } : undefined

const adminPages: readonly AdminPage[] = [
  {
    href: '/admin/users',
    title: 'User Edit',
    text: 'Approve, invite, edit, suspend or delete dealers',
    icon: <Users size={20} />,
    badge: (overview) =>
      some(overview.waitingAccounts, 'waiting for approval', 'warning') ??
      some(overview.unverifiedLicenses, `${nounOf(overview.unverifiedLicenses, 'license')} to verify`, 'warning'),
  },
  {
    href: '/admin/deals',
    title: 'Deals Submitted',
    text: 'Approve or reject submitted deals',
    icon: <Handshake size={20} />,
    badge: (overview) => some(overview.pendingDeals, 'pending', 'warning'),
  },
  {
    href: '/admin/promo',
    title: 'Promotion Edits',
    text: 'Create, pause or activate promotions',
    icon: <Megaphone size={20} />,
    badge: (overview) => some(overview.activePromotions, 'active', 'success'),
  },
  {
    href: '/admin/pricing',
    title: 'Pricing Edits',
    text: 'Plan prices, add-ons and distribution',
    icon: <Tag size={20} />,
  },
  {
    href: '/admin/network',
    title: 'Network Rules',
    text: 'Who can join, post and bid',
    icon: <SlidersHorizontal size={20} />,
  },
  {
    href: '/admin/moderation',
    title: 'Moderation',
    text: 'Reported posts, comments, messages and dealers',
    icon: <ShieldAlert size={20} />,
    badge: (overview) => some(overview.openReports, 'reported', 'danger'),
  },
  {
    href: '/admin/messages',
    title: 'Contact Messages',
    text: 'Messages from visitors',
    icon: <Mail size={20} />,
    badge: (overview) => some(overview.waitingMessages, 'waiting', 'warning'),
  },
  {
    href: '/admin/newsletter',
    title: 'Newsletter',
    text: 'Manage subscribers, write and send issues',
    icon: <Newspaper size={20} />,
  },
  {
    href: '/admin/status',
    title: 'Status Incidents',
    text: 'Incidents shown on the status page',
    icon: <Activity size={20} />,
  },
  { href: '/admin/audit', title: 'Audit Log', text: 'Who did what, when and why', icon: <ScrollText size={20} /> },
  {
    href: '/admin/queues',
    title: 'Queues',
    text: 'Background jobs, connections and services',
    icon: <ListChecks size={20} />,
  },
]

function AdminPageCard({ page, overview }: { page: AdminPage; overview: AdminOverview | undefined }) {
  const badge = overview && page.badge?.(overview)
  return (
    <Card className="transition-colors hover:border-line-strong">
      <Link href={page.href} className="flex min-h-11 items-start gap-3 rounded-md p-4">
        <span aria-hidden="true" className="mt-0.5 text-accent-ink">
          {page.icon}
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-2 text-base font-semibold">
            <span className="mr-auto">{page.title}</span>
            {badge ? <Badge tone={badge.tone}>{badge.text}</Badge> : null}
          </span>
          <span className="mt-1 block text-ink-2">{page.text}</span>
        </span>
        <ChevronRight size={18} aria-hidden="true" className="mt-0.5 text-accent-ink" />
      </Link>
    </Card>
  )
}

const revenueFigures = (data: AdminOverview) => [
  {
    label: 'Monthly revenue',
    value: formatMoney(data.monthlyRevenue),
    note: `${plural(data.subscribers, 'subscriber')} and ${plural(data.addOns, 'add-on')}; ${plural(data.gifts, 'complimentary plan')}`,
  },
  {
    label: 'Annual revenue',
    value: formatMoney(data.annualRevenue),
    note: data.refundedThisMonth
      ? `12 times monthly; ${formatMoney(data.refundedThisMonth)} refunded this month`
      : '12 times monthly',
  },
]

export function AdminHome({ aside }: { aside: ReactNode }) {
  const overview = useQuery(overviewQuery())
  const data = overview.data
  const billing = useBilling()
  return (
    <div className="space-y-3">
      {data && !overview.error ? null : (
        <Card>
          <Load query={overview} what="the overview">
            {() => null}
          </Load>
        </Card>
      )}
      {data ? (
        <Figures
          label="Network"
          figures={[
            ...(billing ? revenueFigures(data) : []),
            { label: 'Dealers', value: formatNumber(data.dealers), note: 'Staff not counted' },
            { label: 'Pending review', value: formatNumber(data.pendingDeals), note: 'Deals waiting for approval' },
          ]}
        />
      ) : null}
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="space-y-3">
          <nav aria-label="Admin screens" className="grid gap-3 md:grid-cols-2">
            {adminPages
              .filter(({ href }) => billing || href !== '/admin/pricing')
              .map((page) => (
                <AdminPageCard key={page.href} page={page} overview={data} />
              ))}
          </nav>
          {data && billing ? <RevenueDistribution rows={data.distribution} /> : null}
        </div>
        <div className="space-y-3">
          <AdminQuickActions />
          {aside}
        </div>
      </div>
    </div>
  )
}
