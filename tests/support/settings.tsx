import { show } from './screen.tsx'
import { type ReactNode } from 'react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import type { Test } from 'tap'
import { SettingsDelivery, SettingsNotifications } from '#client/features/account/settings-notifications.tsx'
import { SettingsForm } from '#client/features/account/settings-form.tsx'
import { SettingsTheme } from '#client/features/account/settings-theme.tsx'
import {
  bidToggles,
  privacyToggles,
  SettingsLane,
  SettingsToggles,
} from '#client/features/account/settings-toggles.tsx'
import { useSaveSettings } from '#client/features/account/settings.api.ts'
import { meKey } from '#client/lib/query/query-keys.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { Settings, SettingsPatch } from '#shared/schemas/account.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { answer, fakeNetwork, http, sent } from './network.ts'
import { aCurrentUser } from './records.ts'

function Screen() {
  const { data: me } = useQuery<CurrentUser>({ queryKey: meKey, queryFn: skipToken })
  const save = useSaveSettings()
  if (!me) return null
  const card = { settings: settingsOf(me.settings), onChange: (patch: SettingsPatch) => save.mutate(patch) }
  return (
    <>
      <SettingsForm settings={card.settings} />
      <SettingsToggles toggles={bidToggles} {...card} />
      <SettingsToggles toggles={privacyToggles} {...card} />
      <SettingsNotifications {...card} />
      <SettingsDelivery {...card} />
      <SettingsTheme {...card} />
      <SettingsLane {...card} />
    </>
  )
}

/** Opens the settings with a fake server that stores them. `answerTo` can delay or reject a change. */
export function openSettings(
  t: Test,
  answerTo: (patch: SettingsPatch) => Promise<Response | undefined> | undefined,
  beside?: ReactNode,
) {
  let kept = settingsOf({})
  const heard: SettingsPatch[] = []
  fakeNetwork(t).use(
    http.patch('*/api/settings', async ({ request }) => {
      const patch = await sent(SettingsPatch, request)
      heard.push(patch)
      const refused = await answerTo(patch)
      if (refused) return refused
      kept = {
        ...kept,
        ...patch,
        lane: { ...kept.lane, ...patch.lane },
        notifications: { ...kept.notifications, ...patch.notifications },
      }
      return answer(Settings, kept)
    }),
  )
  const { cache, history } = show(
    t,
    <>
      <Screen />
      {beside}
    </>,
  )
  cache.setQueryData(meKey, aCurrentUser())
  const on = (name: string) => screen.getByLabelText(name).getAttribute('aria-checked') === 'true'
  const toggle = async (name: string) => void fireEvent.click(await screen.findByLabelText(name))
  return { heard, on, toggle, history }
}
