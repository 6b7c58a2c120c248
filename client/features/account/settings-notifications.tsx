import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { usePendingSettings, useQuietHoursPatch } from '#client/lib/session/save-settings.ts'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { Switch } from '#client/ui/switch.tsx'
import type { Settings, SettingsPatch } from '#shared/schemas/account.ts'
import { notificationChannels, notificationKinds, type NotificationKind } from '#shared/settings.ts'

interface SettingsNotificationsProps {
  settings: Settings
  onChange: (patch: SettingsPatch) => void
}

const kindLabels: Record<NotificationKind, string> = {
  comment: 'Comments on my posts',
  info: 'Information requests',
  request: 'Connection requests',
  accepted: 'Accepted connections',
  messages: 'Unread messages',
  outbid: 'Outbid',
  won: 'Auction won',
  deal: 'Deal updates',
  savedSearch: 'Saved searches',
  match: 'Vehicle matches (buy orders and saved Find searches)',
  expired: 'Expired posts',
  unreadable: 'Spreadsheets and photos to check',
  subscription: 'Subscription',
  moderation: 'Moderation decisions',
  account: 'Data export ready',
  queues: 'Failing queues',
}
const channelLabels = { inApp: 'In-app', email: 'Email', push: 'Push' } as const
const deliveryOptions = [
  { value: 'immediate', label: 'As it happens' },
  { value: 'daily', label: 'Daily digest at 8:00 AM' },
] as const

export function SettingsNotifications({ settings, onChange }: SettingsNotificationsProps) {
  const billing = useBilling()
  const { role } = useCurrentDealer()
  const ahead = usePendingSettings()
  const concerns = (kind: NotificationKind) =>
    kind === 'subscription' ? billing : kind !== 'queues' || role !== 'dealer'
  const labelOf = (kind: NotificationKind) =>
    kind === 'queues' && role === 'admin' ? 'Failing queues and backups' : kindLabels[kind]
  const kinds = notificationKinds.filter(concerns)
  return (
    <table className="w-full">
      <thead>
        <tr className="text-xs text-ink-2">
          <th scope="col" className="py-2 text-left font-medium">
            Notification
          </th>
          {notificationChannels.map((channel) => (
            <th key={channel} scope="col" className="w-18 py-2 text-center font-medium max-md:w-12">
              {channelLabels[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind} className="border-t border-line">
            <th scope="row" className="py-2 text-left font-medium">
              {labelOf(kind)}
            </th>
            {notificationChannels.map((channel) => (
              <td key={channel} className="text-center">
                <Checkbox
                  hideLabel
                  label={`${labelOf(kind)}: ${channelLabels[channel]}`}
                  checked={settings.notifications[kind][channel]}
                  onChange={(on) =>
                    onChange({ notifications: { [kind]: { ...ahead().notifications[kind], [channel]: on } } })
                  }
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function SettingsDelivery({ settings, onChange }: SettingsNotificationsProps) {
  const { quietHours } = settings
  const quietHoursPatch = useQuietHoursPatch()
  const changeHours = (change: Partial<Settings['quietHours']>) => onChange(quietHoursPatch(change))
  return (
    <div className="space-y-3 pt-2">
      <Field label="Email delivery" className="max-w-60">
        <Select
          value={settings.emailDelivery}
          options={deliveryOptions}
          onChange={(emailDelivery) => onChange({ emailDelivery, ...(emailDelivery === 'daily' && quietHoursPatch()) })}
        />
      </Field>
      <Switch
        layout="row"
        label="Quiet hours"
        hint={`Push is paused and email is held until quiet hours end (${quietHours.timeZone})`}
        checked={quietHours.on}
        onChange={(on) => changeHours({ on })}
      />
      {quietHours.on ? (
        <div className="flex gap-4">
          <Field label="From">
            <Input
              type="time"
              value={quietHours.from}
              onChange={(event) => event.target.value && changeHours({ from: event.target.value })}
            />
          </Field>
          <Field label="To">
            <Input
              type="time"
              value={quietHours.to}
              onChange={(event) => event.target.value && changeHours({ to: event.target.value })}
            />
          </Field>
        </div>
      ) : null}
      {quietHours.on ? (
        <Switch
          layout="row"
          label="Allow outbid and won auctions"
          hint="These push notifications arrive even during quiet hours"
          checked={quietHours.urgent ?? false}
          onChange={(urgent) => changeHours({ urgent })}
        />
      ) : null}
    </div>
  )
}
