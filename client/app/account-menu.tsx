import LogOut from 'lucide-react/icons/log-out'
import { useLogout } from '#client/features/auth/auth.api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from '#client/ui/menu.tsx'
import { NavItemCount, useNavItems } from './nav-items.tsx'
import { useTheme } from './theme.ts'
import { useChooseTheme } from './choose-theme.ts'
import { themeOptions } from './theme-options.ts'

export function AccountMenu() {
  const me = useCurrentDealer()
  const theme = useTheme()
  const chooseTheme = useChooseTheme()
  const logOut = useLogout()
  const items = useNavItems()
  const trigger = (
    <button
      type="button"

      className="flex-none rounded-full max-md:hidden touch:p-1.5"
    >
      <span className="sr-only">{`Account: ${me.name}`}</span>
      <Avatar name={me.name} src={me.avatar} size={32} />
    </button>
  )
  return (
    <Menu trigger={trigger}>
      <p className="px-2 pt-1 font-semibold">{me.name}</p>
      <p className="px-2 pb-1 text-xs text-ink-2">{me.dealershipName}</p>
      <MenuSeparator />
      {items.map(({ href, label, icon, count = 0 }) => (
        <MenuLink key={href} href={href} icon={icon}>
          {label}
          <NavItemCount count={count} />
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuChoice label="Theme" value={theme} onChange={chooseTheme} options={themeOptions} />
      <MenuSeparator />
      <MenuItem icon={<LogOut size={16} />} onSelect={logOut}>
        Log Out
      </MenuItem>
    </Menu>
  )
}
