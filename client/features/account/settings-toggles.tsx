import { type ReactNode } from 'react'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Switch } from '#client/ui/switch.tsx'
import type { Settings, SettingsPatch } from '#shared/schemas/account.ts'

type ToggleName = {
  [K in keyof Settings]: Settings[K] extends boolean ? K : never
}[keyof Settings]

interface Toggle {
  name: ToggleName
  label: string
  hint: string
}

interface SettingsTogglesProps {
  title: string
  toggles: readonly Toggle[]
  settings: Settings
  onChange: (patch: SettingsPatch) => void
  children?: ReactNode
}

/** A card of switches, each saved by itself. */
export function SettingsToggles({ title, toggles, settings, onChange, children }: SettingsTogglesProps) {
  return (
    <Card>
      <CardHeader title={title} />
      <CardBody className="divide-y divide-line">
        {toggles.map(({ name, label, hint }) => (
          <div key={name} className="py-2">
            <Switch
              layout="row"
              label={label}
              hint={hint}
              checked={settings[name]}
              onChange={(on) => onChange({ [name]: on })}
            />
          </div>
        ))}
        {children}
      </CardBody>
    </Card>
  )
}

export const alertToggles: readonly Toggle[] = [
  { name: 'emailNotifications', label: 'Email notifications', hint: 'All mail besides that about your account itself' },
  {
    name: 'pushNotifications',
    label: 'Push notifications',
    hint: 'Shown by your browser while Lanewire is in the background',
  },
  { name: 'dealAlerts', label: 'Deal alerts', hint: 'Mail and push about bids and deals' },
  { name: 'messageAlerts', label: 'Message alerts', hint: 'Mail and push about unread messages' },
]

export const privacyToggles: readonly Toggle[] = [
  { name: 'profileVisibility', label: 'Profile visibility', hint: 'List me in the dealer directory' },
  {
    name: 'showOnPublicPage',
    label: 'Show my posts on the public page',
    hint: 'Year, make, model and state of my vehicles; no price, and no name',
  },
  { name: 'onlineStatus', label: 'Online status', hint: 'Show others when I am online, and see it of them' },
  { name: 'contactSharing', label: 'Contact sharing', hint: 'Show my phone and email on my profile' },
  { name: 'readReceipts', label: 'Read receipts', hint: 'Tell others what I have read, and see it of them' },
  { name: 'typingIndicators', label: 'Typing indicators', hint: 'Show when I am typing, and see it of others' },
]

export const feedToggles: readonly Toggle[] = [
  { name: 'autoRefresh', label: 'Auto-refresh', hint: 'Show new posts by themselves. Off: they wait behind a button' },
  { name: 'oneTapBids', label: 'One-tap bids', hint: 'A bid button bids at once. Off: it asks first' },
]
