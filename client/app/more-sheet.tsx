import LogOut from 'lucide-react/icons/log-out'
import { Link } from 'wouter'
import { useLogout } from '#client/features/auth/auth.api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Drawer } from '#client/ui/drawer.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { NavItemCount, useNavItems } from './nav-items.tsx'
import { useTheme } from './theme.ts'
import { useChooseTheme } from './choose-theme.ts'
import { themeOptions } from './theme-options.ts'

const row =
  'flex min-h-11 w-full items-center gap-3 rounded-md px-2 text-left text-base hover:bg-hover [&>svg]:text-ink-2'

interface MoreSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function MoreSheet({ open, onOpenChange }: MoreSheetProps) {
  const me = useCurrentDealer()
  const theme = useTheme()
  const chooseTheme = useChooseTheme()
  const logOut = useLogout()
  const items = useNavItems()
  const heading = (
    <span className="flex items-center gap-3 pl-1">
      <Avatar name={me.name} src={me.avatar} size={32} />
      <span className="font-semibold">{me.name}</span>
    </span>
  )
  return (
    <Drawer side="bottom" title="More" heading={heading} open={open} onOpenChange={onOpenChange}>
      <nav aria-label="More">
        {items.map(({ href, label, icon, count = 0 }) => (
          <Link key={href} href={href} className={row} onClick={() => onOpenChange(false)}>
            {icon}
            {label}
            <NavItemCount count={count} />
          </Link>
        ))}
        <button type="button" className={row} onClick={logOut}>
          <LogOut size={16} />
          Log Out
        </button>
      </nav>
      <Segmented label="Theme" value={theme} onChange={chooseTheme} options={themeOptions} block />
    </Drawer>
  )
}
