import type { ReactNode } from 'react'
import Handshake from 'lucide-react/icons/handshake'
import ScrollText from 'lucide-react/icons/scroll-text'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { Link } from 'wouter'
import { dealerFileRows } from '#shared/limits.ts'
import { reportReasons } from '#shared/moderation.ts'
import type { DealerFile, FiledReport } from '#shared/schemas/admin.ts'
import { Badge, StatusBadge } from '#client/ui/badge.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalize, formatDate, formatMoney, formatVehicle, plural } from '#client/ui/format.ts'
import { AdminDealerLink } from '../admin-dealer-link.tsx'

interface ListCardProps<Row> {
  title: string
  rows: readonly Row[]
  all?: { href: string; label: string }
  icon: ReactNode
  none: string
  render: (row: Row) => ReactNode
}

const link = 'rounded-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-current'

function ListCard<Row extends { id: string }>({ title, rows, all, icon, none, render }: ListCardProps<Row>) {
  return (
    <Card aria-label={title}>
      <CardHeader title={title}>
        <span className="flex items-center gap-3 text-xs text-ink-2">
          {rows.length < dealerFileRows ? null : <span>The newest {dealerFileRows}</span>}
          {all ? (
            <Link
              href={all.href}
              className="inline-flex items-center text-accent-ink underline underline-offset-3 max-md:min-h-11"
            >
              {all.label}
            </Link>
          ) : null}
        </span>
      </CardHeader>
      {rows.length === 0 ? (
        <EmptyState level={3} compact icon={icon} title={none} />
      ) : (
        <ul className="pb-1">
          {rows.map((row) => (
            <li key={row.id} className="border-line px-4 py-2.5 not-last:border-b">
              {render(row)}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

export function DealerPosts({ posts }: { posts: DealerFile['posts'] }) {
  return (
    <ListCard
      title="Posts"
      rows={posts}
      icon={<ScrollText size={24} />}
      none="No posts yet"
      render={(post) => (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
            {post.hidden || post.deleted ? (
              <span className="font-medium">{post.title}</span>
            ) : (
              <Link href={`/post/${post.id}`} className={link}>
                {post.title}
              </Link>
            )}
            <span className="num block text-xs text-ink-2">
              {plural(post.vehicleCount, 'vehicle')}, {formatDate(post.createdAt)}
            </span>
          </span>
          <span className="flex flex-wrap gap-1">
            {post.hidden ? <Badge tone="danger">Hidden</Badge> : null}
            {post.deleted ? <Badge>Deleted</Badge> : <StatusBadge status={post.status} />}
          </span>
        </div>
      )}
    />
  )
}

export function DealerDeals({ id, deals }: { id: string; deals: DealerFile['deals'] }) {
  return (
    <ListCard
      title="Deals"
      rows={deals}
      all={{ href: '/admin/deals', label: 'Deals submitted' }}
      icon={<Handshake size={24} />}
      none="No deals yet"
      render={(deal) => {
        const sells = deal.sellerId === id
        const other = sells ? deal.buyer : deal.seller
        return (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              <Link href={`/deals/${deal.id}`} className={link}>
                {formatVehicle(deal) || 'Deal'}
              </Link>
              <span className="num block text-xs text-ink-2">
                {sells ? 'Sold to' : 'Bought from'} <AdminDealerLink id={other.id}>{other.name}</AdminDealerLink>,{' '}
                {formatDate(deal.createdAt)}
              </span>
            </span>
            <span className="num font-semibold">{formatMoney(deal.price)}</span>
            <StatusBadge status={deal.status} />
          </div>
        )
      }}
    />
  )
}

function Report({ report, who }: { report: FiledReport; who: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="font-medium">{reportReasons[report.reason]}</span>
        {report.details ? <span className="block text-ink-2">{report.details}</span> : null}
        <span className="num block text-xs text-ink-2">
          {capitalize(report.kind)}, {who}, {formatDate(report.createdAt)}
        </span>
      </span>
      <Badge tone={report.decided ? 'neutral' : 'warning'}>{report.decided ? 'Resolved' : 'Open'}</Badge>
    </div>
  )
}

export function DealerReports({ reports: { by, about } }: { reports: DealerFile['reports'] }) {
  const shared = { all: { href: '/admin/moderation', label: 'Moderation' }, icon: <ShieldCheck size={24} /> }
  return (
    <>
      <ListCard
        {...shared}
        title="Reports about this dealer"
        rows={about}
        none="No reports about this dealer"
        render={(report) => (
          <Report
            report={report}
            who={
              <>
                {report.reporter ? (
                  <>
                    reported by <AdminDealerLink id={report.reporter.id}>{report.reporter.name}</AdminDealerLink>
                  </>
                ) : (
                  'flagged automatically'
                )}
              </>
            }
          />
        )}
      />
      <ListCard
        {...shared}
        title="Reports by this dealer"
        rows={by}
        none="No reports by this dealer"
        render={(report) => (
          <Report
            report={report}
            who={
              <>
                {report.kind === 'dealer' ? null : 'by '}
                <AdminDealerLink id={report.author.id}>{report.author.name}</AdminDealerLink>
              </>
            }
          />
        )}
      />
    </>
  )
}
