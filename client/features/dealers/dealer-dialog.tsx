import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import FileBadge from 'lucide-react/icons/file-badge'
import Flag from 'lucide-react/icons/flag'
import MapPin from 'lucide-react/icons/map-pin'
import MessageSquare from 'lucide-react/icons/message-square'
import Star from 'lucide-react/icons/star'
import UserPlus from 'lucide-react/icons/user-plus'
import { type ReactNode } from 'react'
import { Link } from 'wouter'
import { askToReport } from '#client/lib/screen/report-subject.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { VerifiedBadge } from '#client/ui/verified-badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { capitalize, formatNumber, formatPlace, formatRating } from '#client/ui/format.ts'
import type { Dealer } from '#shared/schemas/dealers.ts'
import { networkQuery, useInNetwork } from './dealers.api.ts'

interface DealerDialogProps {
  dealer: Dealer
  onClose: () => void
  onMessage?: ((dealer: Dealer) => void) | undefined
}

export function DealerDialog({ dealer, onClose, onMessage }: DealerDialogProps) {
  const me = useCurrentDealer()
  const own = dealer.id === me.id
  const place = formatPlace(dealer)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={dealer.name}
      description={`Profile of ${dealer.name}, ${dealer.dealershipName}`}
      hideDescription
      footer={own ? null : <Actions dealer={dealer} onMessage={onMessage} onClose={onClose} />}
    >
      <div className="flex items-center gap-4">
        <Avatar name={dealer.name} src={dealer.avatar} size={56} />
        <div className="min-w-0">
          <p className="text-base font-semibold">{dealer.dealershipName}</p>
          <p className="text-ink-2">{capitalize(dealer.dealershipType)} dealer</p>
          {place ? (
            <p className="flex items-center gap-1 text-xs text-ink-3">
              <MapPin size={14} aria-hidden="true" />
              {place}
            </p>
          ) : null}
        </div>
      </div>
      <p className="mt-3">
        <Link
          onClick={onClose}
          href={`/dealers/${dealer.id}`}
          className="rounded-sm font-medium text-accent-ink underline-offset-3 hover:underline"
        >
          View full profile
        </Link>
      </p>
      <DegreeBadges dealer={dealer} />
      <dl className="mt-4 grid grid-cols-3 gap-2">
        <Figure label="Rating">
          <Star size={16} aria-hidden="true" className="text-ink-3" />
          {dealer.rating === null ? 'New' : `${formatRating(dealer.rating)} / 5`}
        </Figure>
        <Figure label="Deals">{formatNumber(dealer.dealsCompleted)}</Figure>
        <Figure label="Connections">{formatNumber(dealer.connectionCount)}</Figure>
      </dl>
      {dealer.licenseNumber ? (
        <p className="mt-4 flex items-center gap-2 text-ink-2">
          <FileBadge size={16} aria-hidden="true" />
          Dealer license <span className="vin">{dealer.licenseNumber}</span>
        </p>
      ) : null}
    </Dialog>
  )
}

function DegreeBadges({ dealer }: { dealer: Dealer }) {
  const network = useQuery(networkQuery())
  const mutual = network.data?.mutual.includes(dealer.id)
  if (!mutual && !dealer.buysCanadianVehicles && !dealer.verified) return null
  return (
    <p className="mt-3 flex gap-2">
      {dealer.verified ? <VerifiedBadge /> : null}
      {mutual ? <Badge tone="accent">1st</Badge> : null}
      {dealer.buysCanadianVehicles ? <Badge tone="outline">Buys Canadian</Badge> : null}
    </p>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="rounded-md border border-line bg-sunken p-3">
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd className="num flex items-center gap-1 text-md font-semibold">{children}</dd>
    </div>
  )
}

function Actions({ dealer, onMessage, onClose }: DealerDialogProps) {
  const { on, waiting, toggle } = useInNetwork(dealer)
  return (
    <>
      <Button
        variant="ghost"
        icon={<Flag size={16} aria-hidden="true" />}
        onClick={() => {
          onClose()
          askToReport({ kind: 'dealer', id: dealer.id, name: `${dealer.name}, ${dealer.dealershipName}` })
        }}
        className="mr-auto"
      >
        Report
      </Button>
      {onMessage ? (
        <Button icon={<MessageSquare size={16} aria-hidden="true" />} onClick={() => onMessage(dealer)}>
          Message
        </Button>
      ) : null}
      <Button
        variant={on ? 'on' : 'primary'}
        aria-pressed={on}
        disabled={waiting}
        icon={on ? <Check size={16} aria-hidden="true" /> : <UserPlus size={16} aria-hidden="true" />}
        onClick={toggle}
      >
        {on ? 'Connected' : 'Connect with Dealer'}
      </Button>
    </>
  )
}
