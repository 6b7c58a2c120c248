import { type ReactNode } from 'react'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { LiveBadge, StatusBadge } from '#client/ui/badge.tsx'
import { DealerLink } from '#client/ui/dealer-link.tsx'
import { VerifiedBadge } from '#client/ui/verified-badge.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatPlace } from '#client/ui/format.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import type { Post } from '#shared/schemas/posts.ts'
import { mentionsAuction } from '#shared/auction-rules.ts'

interface PostHeaderProps {
  post: Post
  badges?: ReactNode
  menu?: ReactNode
}

export function PostHeader({ post, badges, menu }: PostHeaderProps) {
  const { dealer } = post
  const own = dealer.id === useCurrentDealer().id
  const place = formatPlace(dealer)
  return (
    <div className="flex items-start gap-3">
      <Avatar name={dealer.name} src={dealer.avatar} />
      <div className="min-w-0 flex-1">
        {/* On a narrow card, the dealership gets its own line below the badges. */}
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2">
          <p className="flex flex-wrap @max-xl/card:contents">
            {own ? (
              <span className="font-semibold">{dealer.name}</span>
            ) : (
              <DealerLink
                dealer={dealer}
                className="font-semibold max-md:relative max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-3"
              />
            )}
            <span className="text-ink-2 @max-xl/card:col-span-2 @max-xl/card:row-start-2 @max-xl/card:truncate">
              <span className="@max-xl/card:hidden">
                <DotSeparator />
              </span>
              {dealer.dealershipName}
            </span>
          </p>
          <span className="col-start-2 row-start-1 flex items-center gap-1">
            {badges ?? (
              <>
                {mentionsAuction(post) ? <LiveBadge /> : null}
                <StatusBadge status={post.status} />
              </>
            )}
            {/* The negative margins keep the menu button from making the line taller. */}
            <span className="-my-1.5 -mr-2 flex max-md:-my-3 touch:-my-3">{menu}</span>
          </span>
        </div>
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
          <span>
            {place}
            {place ? <DotSeparator /> : null}
            <RelativeTime iso={post.createdAt} className="num" />
          </span>
          {dealer.verified ? <VerifiedBadge /> : null}
        </p>
      </div>
    </div>
  )
}
