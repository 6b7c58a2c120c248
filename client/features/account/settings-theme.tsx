import { Field } from '#client/ui/field.tsx'
import { capitalize } from '#client/ui/format.ts'
import { Select } from '#client/ui/select.tsx'
import type { Settings, SettingsPatch } from '#shared/schemas/account.ts'
import { themeChoices } from '#shared/settings.ts'

interface SettingsThemeProps {
  settings: Settings
  onChange: (patch: SettingsPatch) => void
}

const options = themeChoices.map((value) => ({ value, label: capitalize(value) }))

export function SettingsTheme({ settings, onChange }: SettingsThemeProps) {
  return (
    <Field label="Theme" className="max-w-60 pt-2">
      <Select value={settings.theme} options={options} onChange={(theme) => onChange({ theme })} />
    </Field>
  )
}
