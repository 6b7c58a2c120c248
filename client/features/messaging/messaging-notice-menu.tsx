import Bell from 'lucide-react/icons/bell'
import Volume2 from 'lucide-react/icons/volume-2'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { noticeObstacles, noticePermission } from '#client/lib/screen/desktop-notices.ts'
import { hasPushDevice } from '#client/lib/push-device.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuItem } from '#client/ui/menu.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { setNoticePreference, useNoticePreference } from './sync/notices.ts'

/** Browsers registered for push have no desktop option, because push notifications replace desktop notifications. */
export function NoticeMenu() {
  const preference = useNoticePreference()
  const isDevice = hasPushDevice(useCurrentDealer().id)
  const toggleDesktop = async () => {
    const { desktop } = await setNoticePreference({ ...preference, desktop: !preference.desktop })
    const permission = noticePermission()
    if (!preference.desktop && !desktop && permission !== 'granted')
      toast({ title: 'Desktop notifications stay off', description: noticeObstacles[permission] })
  }
  return (
    <Menu trigger={<IconButton size="sm" label="Message alerts" icon={<Bell size={18} />} />}>
      <MenuItem
        icon={<Volume2 size={16} />}
        onSelect={() => void setNoticePreference({ ...preference, sound: !preference.sound })}
      >
        {preference.sound ? 'Turn sound off' : 'Turn sound on'}
      </MenuItem>
      {isDevice ? null : (
        <MenuItem icon={<Bell size={16} />} onSelect={() => void toggleDesktop()}>
          {preference.desktop ? 'Turn desktop notifications off' : 'Turn desktop notifications on'}
        </MenuItem>
      )}
    </Menu>
  )
}
