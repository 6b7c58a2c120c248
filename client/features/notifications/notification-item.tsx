import Archive from 'lucide-react/icons/archive'
import BellRing from 'lucide-react/icons/bell-ring'
import CalendarX from 'lucide-react/icons/calendar-x'
import Car from 'lucide-react/icons/car'
import CircleHelp from 'lucide-react/icons/circle-question-mark'
import CreditCard from 'lucide-react/icons/credit-card'
import FileWarning from 'lucide-react/icons/file-exclamation-point'
import Gavel from 'lucide-react/icons/gavel'
import Handshake from 'lucide-react/icons/handshake'
import MessageSquare from 'lucide-react/icons/message-square'
import MessageSquareText from 'lucide-react/icons/message-square-text'
import ServerCrash from 'lucide-react/icons/server-crash'
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point'
import Trophy from 'lucide-react/icons/trophy'
import UserCheck from 'lucide-react/icons/user-check'
import UserPlus from 'lucide-react/icons/user-plus'
import { type ReactNode } from 'react'
import { Link } from 'wouter'
import { Avatar } from '#client/ui/avatar.tsx'
import { cx } from '#client/ui/cx.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import type { Notification } from '#shared/schemas/notifications.ts'
import type { NotificationKind } from '#shared/settings.ts'

const icons: Record<NotificationKind, ReactNode> = {
  comment: <MessageSquareText size={16} />,
  info: <CircleHelp size={16} />,
  request: <UserPlus size={16} />,
  accepted: <UserCheck size={16} />,
  messages: <MessageSquare size={16} />,
  outbid: <Gavel size={16} />,
  won: <Trophy size={16} />,
  deal: <Handshake size={16} />,
  savedSearch: <BellRing size={16} />,
  match: <Car size={16} />,
  expired: <CalendarX size={16} />,
  unreadable: <FileWarning size={16} />,
  subscription: <CreditCard size={16} />,
  moderation: <ShieldAlert size={16} />,
  account: <Archive size={16} />,
  queues: <ServerCrash size={16} />,
}

interface NotificationItemProps {
  item: Notification
  onOpen: (item: Notification) => void
}

export function NotificationItem({ item, onOpen }: NotificationItemProps) {
  return (
    <Link
      href={item.path}
      onClick={() => onOpen(item)}
      className={cx(
        'flex gap-3 px-4 py-3 hover:bg-hover focus-visible:-outline-offset-2',
        !item.read && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      {item.actor ? (
        <Avatar name={item.actor.name} src={item.actor.avatar} size={32} />
      ) : (
        <span
          aria-hidden="true"
          className="inline-flex size-8 flex-none items-center justify-center rounded-full bg-hover text-ink-2"
        >
          {icons[item.kind]}
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className={cx('block text-pretty', !item.read && 'font-semibold')}>{item.title}</span>
        {item.body ? <span className="line-clamp-2 text-xs text-ink-2">{item.body}</span> : null}
        <span className="flex items-center gap-1 text-xs text-ink-2">
          {item.actor ? (
            <span aria-hidden="true" className="[&>svg]:size-3">
              {icons[item.kind]}
            </span>
          ) : null}
          <RelativeTime iso={item.createdAt} />
        </span>
      </span>
      {item.read ? null : (
        <span className="mt-1.5 size-2 flex-none rounded-full bg-accent">
          <span className="sr-only">unread</span>
        </span>
      )}
    </Link>
  )
}
