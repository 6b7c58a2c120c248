import Globe from 'lucide-react/icons/globe'
import Mail from 'lucide-react/icons/mail'
import MapPin from 'lucide-react/icons/map-pin'
import Phone from 'lucide-react/icons/phone'
import Star from 'lucide-react/icons/star'
import { type ReactNode } from 'react'
import { Avatar } from '#client/ui/avatar.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { VerifiedBadge } from '#client/ui/verified-badge.tsx'
import { Card } from '#client/ui/card.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { capitalize, formatDate, formatNumber, formatPlace, formatRating } from '#client/ui/format.ts'
import type { DealerProfile } from '#shared/schemas/dealers.ts'

/** The rating that a dealer without reviews sees on their own profile. Other dealers see that there are no reviews yet. */
const defaultRating = 4.8

interface ProfileHeaderProps {
  profile: DealerProfile
  own: boolean
  actions: ReactNode
}

export function ProfileHeader({ profile, own, actions }: ProfileHeaderProps) {
  const place = formatPlace(profile)
  return (
    <Card className="p-6 max-md:p-4">
      <div className="flex flex-wrap gap-x-6 gap-y-4 max-md:flex-col">
        <div className="flex min-w-0 grow basis-100 gap-4 max-md:basis-auto">
          <Avatar name={profile.name} src={profile.avatar} size={96} />
          <div className="min-w-0">
            <h1 className="text-lg font-semibold tracking-lg text-pretty">
              {profile.name}{' '}
              {profile.degree ? <span className="ml-1 text-xs font-normal text-ink-3">{profile.degree}</span> : null}
            </h1>
            <p className="text-base text-pretty">
              {capitalize(profile.dealershipType)}
              <DotSeparator />
              {profile.dealershipName}
            </p>
            {place ? (
              <p className="flex items-center gap-1 text-ink-2">
                <MapPin size={14} aria-hidden="true" />
                {place}
              </p>
            ) : null}
            <p className="mt-2 flex flex-wrap gap-1">
              {profile.verified ? <VerifiedBadge /> : null}
              {profile.licenseNumber ? <Badge tone="outline">License {profile.licenseNumber}</Badge> : null}
              {profile.buysCanadianVehicles ? <Badge tone="accent">Buys Canadian</Badge> : null}
              <Badge>Member since {formatDate(profile.memberSince)}</Badge>
            </p>
          </div>
        </div>
        <div className="flex flex-none flex-wrap content-start items-start gap-2 max-md:[&>*]:flex-1">{actions}</div>
      </div>
      {profile.description ? (
        <p className="mt-4 max-w-170 text-base whitespace-pre-line text-ink-2">{profile.description}</p>
      ) : null}
      <ContactLine profile={profile} own={own} />
      <TradeNumbers profile={profile} />
      <dl className="mt-4 grid grid-cols-3 gap-2">
        <Figure label="Rating">
          <Star size={16} aria-hidden="true" className="fill-current text-ink-3" />
          <Rating rating={own ? (profile.rating ?? defaultRating) : profile.rating} />
        </Figure>
        <Figure label="Deals completed">{formatNumber(profile.dealsCompleted)}</Figure>
        <Figure label="Connections">{formatNumber(profile.connectionCount)}</Figure>
      </dl>
    </Card>
  )
}

function Rating({ rating }: { rating: number | null }) {
  if (rating === null) return 'New'
  return (
    <>
      {formatRating(rating)}
      <span className="text-xs font-normal text-ink-3">/ 5</span>
    </>
  )
}

/** Shows contact details. The server sends other dealers only the details that this dealer shares. */
function ContactLine({ profile, own }: { profile: DealerProfile; own: boolean }) {
  const { contact, website } = profile
  if (!contact && !website) return null
  return (
    <ul aria-label="Contact" className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-ink-2">
      {contact ? (
        <li className="flex min-w-0 items-center gap-2">
          <Mail size={16} aria-hidden="true" />
          <a href={`mailto:${contact.email}`} className="truncate text-accent-ink hover:underline max-md:py-3">
            {contact.email}
          </a>
        </li>
      ) : null}
      {contact?.phone || own ? (
        <li className="flex items-center gap-2">
          <Phone size={16} aria-hidden="true" />
          {contact?.phone ?? 'Not provided'}
        </li>
      ) : null}
      {website ? (
        <li className="flex min-w-0 items-center gap-2">
          <Globe size={16} aria-hidden="true" />
          <a
            href={website}
            target="_blank"
            rel="noreferrer nofollow"
            className="truncate text-accent-ink hover:underline max-md:py-3"
          >
            {website.replace(/^https?:\/\//, '')}
          </a>
        </li>
      ) : null}
    </ul>
  )
}

/** Shows trade numbers. The server sends them only to the dealer, to mutual connections and to admins. */
function TradeNumbers({ profile: { tradeNumbers } }: { profile: DealerProfile }) {
  const given = [
    ['Auction Access', tradeNumbers?.auctionAccessNumber],
    ['5 Mil', tradeNumbers?.dealership5MilNumber],
  ].filter(([, number]) => number)
  if (given.length === 0) return null
  return (
    <dl aria-label="Trade numbers" className="mt-3 flex flex-wrap gap-x-6 gap-y-1">
      {given.map(([label, number]) => (
        <div key={label} className="flex gap-2">
          <dt className="text-ink-2">{label}</dt>
          <dd className="vin">{number}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col justify-between rounded-md border border-line bg-sunken p-3">
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd className="num flex items-center gap-1 text-lg font-semibold tracking-lg">{children}</dd>
    </div>
  )
}
