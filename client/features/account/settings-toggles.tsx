import { type FormEvent, type ReactNode, useState } from 'react'
import { useThisClock } from '#client/lib/save-settings.ts'
import { typedAmount } from '#client/lib/typed-amount.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { bidMaxDollars } from '#shared/limits.ts'
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

/** A card of switches. Each saves by itself. */
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

const laneToggles = [
  {
    name: 'autoPin',
    label: 'Places for what I bid on',
    hint: 'A bid that was taken gives its auction a place in Lane. Off: it stands in My auctions alone',
  },
  {
    name: 'refill',
    label: 'Fill places again',
    hint: 'The auction on your watchlist that ends soonest follows one that is over. Off: the place stays free',
  },
  { name: 'sound', label: 'Sound', hint: 'Outbid, bid taken, the last ten seconds, won. On a phone it vibrates, too' },
  { name: 'keys', label: 'Keys', hint: '1 to 6 go to a place, B bids, Enter confirms; ? lists them all' },
] as const

export function SettingsLane({ settings, onChange }: Pick<SettingsTogglesProps, 'settings' | 'onChange'>) {
  const { dayLimit } = settings.lane
  const [text, setText] = useState(dayLimit === null ? '' : String(dayLimit))
  const [error, setError] = useState<string>()
  const onThisClock = useThisClock()
  const saveLimit = (event: FormEvent) => {
    event.preventDefault()
    const amount = text.trim() === '' ? null : typedAmount(text)
    if (amount === undefined || (amount !== null && amount > bidMaxDollars))
      return setError('Enter an amount in dollars')
    setError(undefined)
    onChange({ lane: { dayLimit: amount }, ...(amount !== null && onThisClock()) })
  }
  return (
    <Card>
      <CardHeader title="Lane" />
      <CardBody className="divide-y divide-line">
        {laneToggles.map(({ name, label, hint }) => (
          <div key={name} className="py-2">
            <Switch
              layout="row"
              label={label}
              hint={hint}
              checked={settings.lane[name]}
              onChange={(on) => onChange({ lane: { [name]: on } })}
            />
          </div>
        ))}
        <form noValidate onSubmit={saveLimit} className="flex items-start gap-2 py-2">
          <Field
            label="Day limit"
            error={error}
            hint="What you want to spend and bind in a day at most, in dollars. Empty: no limit"
            className="flex-1"
          >
            <Input
              inputMode="numeric"
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </Field>
          <Button type="submit" className="mt-6">
            Save limit
          </Button>
        </form>
      </CardBody>
    </Card>
  )
}
