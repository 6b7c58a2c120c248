import { type FormEvent, useState } from 'react'
import { useSettingsChange } from '#client/lib/session/save-settings.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'
import { Field } from '#client/ui/field.tsx'
import { capitalize } from '#client/ui/format.ts'
import { LeaveQuestion } from '#client/ui/leave-question.tsx'
import { Select } from '#client/ui/select.tsx'
import { toast } from '#client/ui/toast-store.ts'
import type { Settings } from '#shared/schemas/account.ts'
import { feedPageSize } from '#shared/limits.ts'
import { SwitchRows } from './settings-toggles.tsx'
import { inventoryViews, itemsPerPageChoices } from '#shared/settings.ts'

const toggles = [
  { name: 'emailNotifications', label: 'Email notifications', hint: 'All email except messages about your account' },
  {
    name: 'pushNotifications',
    label: 'Push notifications',
    hint: 'On your devices, even when Lanewire is closed',
  },
  { name: 'dealAlerts', label: 'Deal alerts', hint: 'Email and push about bids and deals' },
  { name: 'messageAlerts', label: 'Message alerts', hint: 'Email and push about unread messages' },
  {
    name: 'autoRefresh',
    label: 'Auto-refresh',
    hint: 'Insert new posts automatically. When off, they wait behind a button.',
  },
  { name: 'profileVisibility', label: 'Profile visibility', hint: 'List me in the dealer directory' },
  { name: 'onlineStatus', label: 'Online status', hint: "Show when I'm online (and see when others are)" },
  { name: 'contactSharing', label: 'Contact sharing', hint: 'Show my phone and email on my profile' },
] as const

type FormSettings = Pick<Settings, (typeof toggles)[number]['name'] | 'inventoryView' | 'itemsPerPage'>

const viewOptions = inventoryViews.map((value) => ({ value, label: capitalize(value) }))
const pageOptions = itemsPerPageChoices.map((count) => ({ value: String(count), label: String(count) }))

/** Returns the settings that the draft changes. Compares with the saved settings, because another tab may have changed them meanwhile. */
const changesOf = (draft: Partial<FormSettings>, saved: Settings): Partial<FormSettings> =>
  Object.fromEntries(Object.entries(draft).filter(([name, value]) => saved[name as keyof FormSettings] !== value))

/** Keeps Save above the bottom navigation. On wide screens, Save is near the fields, and the dock covers the bottom right corner. */
const stuckOnPhone = 'max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-md:z-10 max-md:tall:sticky'

export function SettingsForm({ settings }: { settings: Settings }) {
  const [draft, setDraft] = useState<Partial<FormSettings>>({})
  const save = useSettingsChange(() => toast({ title: 'Settings saved' }))
  const changes = changesOf(draft, settings)
  const isChanged = Object.keys(changes).length > 0
  const isBusyOrChanged = isChanged || save.isPending
  const shown = { ...settings, ...draft }
  const set = (change: Partial<FormSettings>) => setDraft((current) => ({ ...current, ...change }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Keep the draft until the server has accepted the changes, so that rejected changes can be sent again.
    if (isChanged) save.mutate(changes)
  }
  return (
    <Card aria-label="Settings">
      <form noValidate onSubmit={submit} className="px-4 py-2">
        <div className="divide-y divide-line">
          <SwitchRows rows={toggles} values={shown} onChange={(name, on) => set({ [name]: on })} />
        </div>
        <div className="grid grid-cols-2 gap-4 border-t border-line pt-3 max-md:grid-cols-1">
          <Field label="Inventory view">
            <Select
              value={shown.inventoryView}
              options={viewOptions}
              onChange={(inventoryView) => set({ inventoryView })}
            />
          </Field>
          <Field label="Items per page">
            <Select
              value={shown.itemsPerPage === null ? '' : String(shown.itemsPerPage)}
              placeholder={`Standard (${feedPageSize})`}
              options={pageOptions}
              onChange={(value) =>
                set({ itemsPerPage: itemsPerPageChoices.find((count) => String(count) === value) ?? null })
              }
            />
          </Field>
        </div>
        <div
          data-bottom-bar={isBusyOrChanged || undefined}
          className={cx(
            'flex items-center justify-end gap-3 py-3 max-md:-mx-4 max-md:mt-3 max-md:border-t max-md:border-line max-md:bg-surface max-md:px-4',
            isBusyOrChanged && stuckOnPhone,
          )}
        >
          <p role="status" className="mr-auto min-w-0 text-ink-2">
            {isChanged ? 'Unsaved changes' : ''}
          </p>
          <Button type="submit" variant="primary" disabled={!isBusyOrChanged} busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
      <LeaveQuestion unsaved={isChanged && !save.isPending} title="Leave without saving?" />
    </Card>
  )
}
