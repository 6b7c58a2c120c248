import { useQuery } from '@tanstack/react-query'
import { PageLayout } from '#client/app/page-layout.tsx'
import { setTheme } from '#client/app/theme.ts'
import { AccountSecurity } from '#client/features/auth/security/account-security.tsx'
import { securityQuery } from '#client/features/auth/auth.api.ts'
import { mySubscriptionQuery } from '#client/lib/session/my-subscription.ts'
import { ApiKeysCard } from '#client/features/account/api-keys-card.tsx'
import { OwnRemainingApiKeys } from '#client/features/account/remaining-api-keys.tsx'
import { PushCards } from '#client/features/push/push-cards.tsx'
import { SavedSearches } from '#client/features/saved/saved-searches.tsx'
import { SettingsAccount } from '#client/features/account/settings-account.tsx'
import { SettingsDelivery, SettingsNotifications } from '#client/features/account/settings-notifications.tsx'
import { SettingsSelects } from '#client/features/account/settings-selects.tsx'
import {
  alertToggles,
  feedToggles,
  privacyToggles,
  SettingsLane,
  SettingsToggles,
} from '#client/features/account/settings-toggles.tsx'
import { useSaveSettings } from '#client/features/account/settings.api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import type { SettingsPatch } from '#shared/schemas/account.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { HomeLeft } from './home-columns.tsx'

/** Settings. Each change is saved by itself and applies at once. */
export function SettingsPage() {
  const settings = settingsOf(useCurrentDealer().settings)
  const security = useQuery(securityQuery())
  const mine = useQuery(mySubscriptionQuery())
  const save = useSaveSettings()
  const change = (patch: SettingsPatch) => {
    // Apply the theme before the response, like the other settings.
    if (patch.theme) setTheme(patch.theme)
    save.mutate(patch)
  }
  const card = { settings, onChange: change }
  return (
    <PageLayout title="Settings" left={<HomeLeft />}>
      <div className="mx-auto max-w-[52.5rem] space-y-3">
        <div className="flex items-center justify-between gap-4 pt-1 max-md:px-4 max-md:pt-3">
          <h1 className="text-lg font-semibold tracking-lg">Settings</h1>
          <ButtonLink href="/profile-edit">Edit Profile</ButtonLink>
        </div>
        <SettingsToggles title="Alerts" toggles={alertToggles} {...card} />
        {settings.pushNotifications ? <PushCards /> : null}
        <SettingsNotifications {...card} />
        <SettingsDelivery {...card} />
        <SettingsToggles title="Privacy" toggles={privacyToggles} {...card} />
        <SettingsSelects {...card} />
        <SettingsToggles title="Feed and bids" toggles={feedToggles} {...card} />
        <SettingsLane {...card} />
        <SavedSearches />
        <AccountSecurity keys={<OwnRemainingApiKeys />} />
        <ApiKeysCard apiAccess={mine.data?.entitlements.includes('apiAccess')} />
        <SettingsAccount hasPassword={security.data?.hasPassword} />
      </div>
    </PageLayout>
  )
}
