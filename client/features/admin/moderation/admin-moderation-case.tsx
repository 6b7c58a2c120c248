import Paperclip from 'lucide-react/icons/paperclip'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { ContextLine, FlaggedBids, ModerationCase } from '#shared/schemas/moderation.ts'
import { reportReasons, sharedSignals } from '#shared/moderation.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { Card } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'
import { capitalize, formatDateTime, formatMoney, plural } from '#client/ui/format.ts'
import { Picture } from '#client/ui/picture.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { AdminDealerLink } from '../admin-dealer-link.tsx'
import { CaseActs, nameOfCase } from './admin-moderation-acts.tsx'

const decisions = {
  hide: 'Hidden',
  restore: 'Restored',
  warn: 'Warned',
  suspend: 'Suspended',
  dismiss: 'Dismissed',
} as const

export function ModerationCaseCard({ one }: { one: ModerationCase }) {
  const { author } = one
  return (
    <Card aria-label={capitalize(nameOfCase(one).replace(/^the /, ''))}>
      <div className="flex flex-wrap items-center gap-3 border-b border-line p-4">
        <Avatar name={author.name} src={author.avatar} size={32} />
        <p className="min-w-0 flex-1">
          <AdminDealerLink id={author.id} className="block truncate font-semibold">
            {author.name}
          </AdminDealerLink>
          <span className="block truncate text-xs text-ink-2">{author.dealershipName}</span>
        </p>
        <span className="flex flex-wrap gap-1">
          <Badge tone="outline">{capitalize(one.kind)}</Badge>
          {one.hidden ? <Badge tone="danger">Hidden</Badge> : null}
          {one.deleted ? <Badge>Deleted</Badge> : null}
          {author.suspended ? <Badge tone="danger">Suspended</Badge> : null}
        </span>
      </div>
      <div className="grid gap-4 p-4 lg:grid-cols-2">
        <Content one={one} />
        <div className="min-w-0 space-y-4">
          <Reports one={one} />
          {one.flags.map((flag) => (
            <Flag key={`${flag.postId} ${flag.bidder.id} ${flag.other.id}`} flag={flag} />
          ))}
          {one.decisions.length > 0 ? <Decisions one={one} /> : null}
        </div>
      </div>
      <CaseActs one={one} />
    </Card>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-1 text-xs font-medium text-ink-2">{title}</h2>
      {children}
    </section>
  )
}

function Content({ one }: { one: ModerationCase }) {
  const title = one.kind === 'comment' ? `Comment on ${one.title}` : one.title
  if (one.context.length > 0)
    return (
      <Part title="The message and its context">
        <ol className="space-y-1">
          {one.context.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ol>
        <Attachment one={one} />
      </Part>
    )
  return (
    <Part title={`Reported ${one.kind}`}>
      <div className="flex gap-3 rounded-md bg-sunken p-3">
        {one.photoUrl ? (
          <Picture src={one.photoUrl} alt="" className="h-16 w-24 flex-none rounded-sm bg-pressed object-cover" />
        ) : null}
        <div className="min-w-0 flex-1">
          {title ? <p className="font-semibold text-pretty">{title}</p> : null}
          {one.text ? <p className="line-clamp-6 whitespace-pre-line text-ink-2 wrap-anywhere">{one.text}</p> : null}
          <Attachment one={one} />
          <p className="mt-1 text-xs text-ink-3">{formatDateTime(one.createdAt)}</p>
        </div>
      </div>
      {one.path && !one.hidden && !one.deleted ? (
        <Link href={one.path} className="mt-1 inline-flex items-center text-accent-ink underline max-md:min-h-11">
          Open in Lanewire
        </Link>
      ) : null}
    </Part>
  )
}

function Attachment({ one: { attachment, kind } }: { one: ModerationCase }) {
  if (attachment === null) return null
  const name = attachment.name ?? `Attachment of the ${kind}`
  if (attachment.isPicture)
    return (
      <Picture
        src={`${attachment.url}?w=320`}
        alt={name}
        href={attachment.url}
        className="mt-2 h-32 w-48 max-w-full rounded-sm bg-pressed object-cover"
      />
    )
  return (
    <a
      href={attachment.url}
      target="_blank"
      rel="noopener noreferrer"
      className="mt-1 inline-flex min-w-0 items-center gap-1 text-accent-ink underline max-md:min-h-11"
    >
      <Paperclip size={14} aria-hidden="true" className="flex-none" />
      <span className="wrap-anywhere">{name}</span>
    </a>
  )
}

function Line({ line }: { line: ContextLine }) {
  return (
    <li
      className={cx(
        'rounded-sm px-3 py-1 wrap-anywhere',
        line.isSubject ? 'bg-danger-soft shadow-[inset_2px_0_0_var(--lw-danger)]' : 'bg-sunken text-ink-2',
      )}
    >
      <span className="font-medium">{line.author}: </span>
      {line.text}
      {line.isSubject ? <span className="sr-only"> (reported)</span> : null}{' '}
      <span className="num text-xs whitespace-nowrap text-ink-3">{formatDateTime(line.createdAt)}</span>
    </li>
  )
}

function Reports({ one }: { one: ModerationCase }) {
  return (
    <Part title={plural(one.reports.length, 'report')}>
      <ul className="space-y-2">
        {one.reports.map((report) => (
          <li key={report.id}>
            <p>
              <span className="font-medium">{reportReasons[report.reason]}</span>{' '}
              <span className="text-xs text-ink-3">
                {report.reporter ? (
                  <AdminDealerLink id={report.reporter.id}>{report.reporter.name}</AdminDealerLink>
                ) : (
                  'Lanewire'
                )}
                , <RelativeTime iso={report.createdAt} className="num" />
              </span>
            </p>
            {report.details ? <p className="whitespace-pre-line text-ink-2 wrap-anywhere">{report.details}</p> : null}
          </li>
        ))}
      </ul>
    </Part>
  )
}

const roleOf = ({ number }: FlaggedBids['bidder']) => (number === null ? 'seller' : `Bidder ${number}`)

/** Shows two accounts in an auction that have something in common, such as a payment card, and their bids. */
function Flag({ flag: { bidder, other, signals, postId, title, bids } }: { flag: FlaggedBids }) {
  return (
    <Part title={`Same ${signals.map((signal) => sharedSignals[signal]).join(', ')}`}>
      <p>
        {[bidder, other].map((one, index) => (
          <Fragment key={one.id}>
            {index > 0 ? ' and ' : null}
            <AdminDealerLink id={one.id}>{one.name}</AdminDealerLink>, {one.dealershipName} ({roleOf(one)})
          </Fragment>
        ))}
        {', in '}
        <Link href={`/post/${postId}`} className="text-accent-ink underline">
          {title}
        </Link>
      </p>
      <ul className="num mt-1 max-h-40 overflow-y-auto text-xs text-ink-2">
        {bids.map((bid) => (
          <li key={`${bid.at} ${bid.amount}`}>
            Bidder {bid.bidder}: {formatMoney(bid.amount)}
            {bid.auto ? ' by maximum' : ''}, {formatDateTime(bid.at)}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Decisions({ one }: { one: ModerationCase }) {
  return (
    <Part title="Decisions">
      <ul className="space-y-1">
        {one.decisions.map((decision) => (
          <li key={decision.at}>
            <span className="font-medium">{decisions[decision.act]}</span>
            {decision.reason ? <span className="text-ink-2">: {decision.reason}</span> : null}{' '}
            <span className="text-xs text-ink-3">
              {decision.by}, {formatDateTime(decision.at)}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
