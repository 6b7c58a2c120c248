import ArrowLeft from 'lucide-react/icons/arrow-left'
import Bell from 'lucide-react/icons/bell'
import House from 'lucide-react/icons/house'
import { type ReactNode, Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import { AccountMenu } from '#client/app/account-menu.tsx'
import { NotificationsWatch } from '#client/features/notifications/notifications-watch.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { useNavCounts } from '#client/lib/screen/nav-counts.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Brand } from '#client/ui/brand.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { NotFoundPage } from '../not-found.tsx'

const adminOnly: readonly DealerRole[] = ['admin']

const loadPanel = () => import('#client/features/notifications/notifications-panel.tsx')
const Panel = lazyPart(async () => (await loadPanel()).NotificationsPanel)

function StaffNotices() {
  const [open, setOpen] = useState(false)
  const { notifications } = useNavCounts()
  const close = () => setOpen(false)
  return (
    <>
      <NotificationsWatch />
      <IconButton
        label="Notifications"
        icon={<Bell size={18} />}
        count={notifications}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Suspense>{open ? <Panel onClose={close} onFollow={close} /> : null}</Suspense>
    </>
  )
}

interface AdminLayoutProps {
  title: string
  /** Roles that may see the page. Everyone else gets the not-found page. */
  roles?: readonly DealerRole[]
  isHome?: boolean
  alarms?: number
  headerEnd?: ReactNode
  children: ReactNode
}

export function AdminLayout({
  title,
  roles = adminOnly,
  isHome = false,
  alarms = 0,
  headerEnd,
  children,
}: AdminLayoutProps) {
  const { role } = useCurrentDealer()
  useDocumentTitle(title, alarms)
  if (!roles.includes(role)) return <NotFoundPage />
  return (
    <div className="min-h-dvh">
      <header className="sticky top-0 z-20 h-14 border-b border-line bg-surface">
        <div className="mx-auto flex h-full max-w-[82rem] items-center gap-3 max-[85rem]:px-6 max-md:gap-2 max-md:px-2">
          <Link
            href="/"
            aria-label="Lanewire home"
            className="inline-flex items-center rounded-sm max-md:min-h-11 max-md:min-w-11 max-md:justify-center"
          >
            <Brand compact />
          </Link>
          <span className="max-md:hidden">
            <Badge tone="outline">Admin</Badge>
          </span>
          <nav aria-label="Admin" className="ml-auto flex items-center gap-2">
            {isHome || role !== 'admin' ? null : (
              <ButtonLink href="/admin" icon={<ArrowLeft size={16} />}>
                BACK TO ADMIN
              </ButtonLink>
            )}
            <ButtonLink href="/" icon={<House size={16} />}>
              HOME
            </ButtonLink>
          </nav>
          <StaffNotices />
          <AccountMenu />
        </div>
      </header>
      <main id="main" className="mx-auto max-w-[82rem] pt-6 pb-16 max-[85rem]:px-6 max-md:px-0 max-md:pt-4">
        <div className="mb-4 flex flex-wrap items-end justify-between gap-2 max-md:px-4">
          <h1 className="text-lg font-semibold tracking-lg">{title}</h1>
          {headerEnd}
        </div>
        {children}
      </main>
    </div>
  )
}
