import { type FormEvent, useState } from 'react'
import { useQuietHoursPatch } from '#client/lib/session/save-settings.ts'
import { typedAmount } from '#client/lib/form/typed-amount.ts'
import { Button } from '#client/ui/button.tsx'
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
  toggles: readonly Toggle[]
  settings: Settings
  onChange: (patch: SettingsPatch) => void
}

export function SettingsToggles({ toggles, settings, onChange }: SettingsTogglesProps) {
  return (
    <div className="divide-y divide-line">
      <SwitchRows rows={toggles} values={settings} onChange={(name, on) => onChange({ [name]: on })} />
    </div>
  )
}

interface SwitchRowsProps<Name extends string> {
  rows: readonly { name: Name; label: string; hint: string }[]
  values: Readonly<Record<Name, boolean>>
  onChange: (name: Name, on: boolean) => void
}

export function SwitchRows<Name extends string>({ rows, values, onChange }: SwitchRowsProps<Name>) {
  return rows.map(({ name, label, hint }) => (
    <div key={name} className="py-2">
      <Switch layout="row" label={label} hint={hint} checked={values[name]} onChange={(on) => onChange(name, on)} />
    </div>
  ))
}

export const privacyToggles: readonly Toggle[] = [
  {
    name: 'showOnPublicPage',
    label: 'Show my posts on the public page',
    hint: 'Year, make, model and state of my vehicles, without price or name',
  },
  { name: 'readReceipts', label: 'Read receipts', hint: "Send read receipts (and see others')" },
  { name: 'typingIndicators', label: 'Typing indicators', hint: "Show when I'm typing (and see when others are)" },
]

export const bidToggles: readonly Toggle[] = [
  { name: 'oneTapBids', label: 'One-tap bids', hint: 'Bid buttons bid right away. When off, they ask first.' },
]

const laneToggles = [
  {
    name: 'autoPin',
    label: 'Add auctions I bid on to Lane',
    hint: 'When off, they only appear under My auctions.',
  },
  {
    name: 'refill',
    label: 'Refill empty positions',
    hint: 'When an auction ends, the watchlist auction ending soonest takes its position. When off, the position stays empty.',
  },
  {
    name: 'sound',
    label: 'Sound',
    hint: 'When outbid, a bid is accepted, ten seconds are left, or you win. Phones also vibrate.',
  },
  { name: 'keys', label: 'Keys', hint: '1 to 6 select a position, B bids, Enter confirms, ? lists all shortcuts.' },
] as const

export function SettingsLane({ settings, onChange }: Pick<SettingsTogglesProps, 'settings' | 'onChange'>) {
  const { dayLimit } = settings.lane
  const [text, setText] = useState(dayLimit === null ? '' : String(dayLimit))
  const [error, setError] = useState<string>()
  const quietHoursPatch = useQuietHoursPatch()
  const saveLimit = (event: FormEvent) => {
    event.preventDefault()
    const amount = text.trim() === '' ? null : typedAmount(text)
    if (amount === undefined || (amount !== null && amount > bidMaxDollars))
      return setError('Enter an amount in dollars')
    setError(undefined)
    onChange({ lane: { dayLimit: amount }, ...(amount !== null && quietHoursPatch()) })
  }
  return (
    <div className="divide-y divide-line">
      <SwitchRows
        rows={laneToggles}
        values={settings.lane}
        onChange={(name, on) => onChange({ lane: { [name]: on } })}
      />
      <form noValidate onSubmit={saveLimit} className="flex items-start gap-2 py-2">
        <Field
          label="Day limit"
          error={error}
          hint="The most you want to commit in one day. Leave blank for no limit."
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
    </div>
  )
}
