import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Field } from '#client/ui/field.tsx'
import { Select } from '#client/ui/select.tsx'
import { feedPageSize } from '#shared/limits.ts'
import type { Settings, SettingsPatch } from '#shared/schemas/account.ts'
import { inventoryViews, itemsPerPageChoices, themeChoices } from '#shared/settings.ts'
import { capitalise } from '#client/ui/format.ts'

interface SettingsSelectsProps {
  settings: Settings
  onChange: (patch: SettingsPatch) => void
}

const labelled = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: capitalise(value) }))

const standard = { value: 'standard', label: `Standard (${feedPageSize})` }

export function SettingsSelects({ settings, onChange }: SettingsSelectsProps) {
  return (
    <Card>
      <CardHeader title="Display" />
      <CardBody className="grid grid-cols-3 gap-4 max-md:grid-cols-1">
        <Field label="Inventory view">
          <Select
            value={settings.inventoryView}
            options={labelled(inventoryViews)}
            onChange={(inventoryView) => onChange({ inventoryView })}
          />
        </Field>
        <Field label="Items per page">
          <Select
            value={settings.itemsPerPage === null ? standard.value : String(settings.itemsPerPage)}
            options={[standard, ...labelled(itemsPerPageChoices.map(String))]}
            onChange={(value) => {
              onChange({ itemsPerPage: itemsPerPageChoices.find((count) => String(count) === value) ?? null })
            }}
          />
        </Field>
        <Field label="Theme">
          <Select value={settings.theme} options={labelled(themeChoices)} onChange={(theme) => onChange({ theme })} />
        </Field>
      </CardBody>
    </Card>
  )
}
