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
import { SettingsForm } from '#client/features/account/settings-form.tsx'
import { SettingsSection } from '#client/features/account/settings-section.tsx'
import { SettingsTheme } from '#client/features/account/settings-theme.tsx'
import {
  bidToggles,
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

/** The first card has a Save button. Changes in the other cards are saved and applied immediately. */
export function SettingsPage() {
  const settings = settingsOf(useCurrentDealer().settings)
  const security = useQuery(securityQuery())
  const mine = useQuery(mySubscriptionQuery())
  const save = useSaveSettings()
  const change = (patch: SettingsPatch) => {
    // Apply the theme without waiting for the response, like the other settings.
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
        <SettingsForm settings={settings} />
        {settings.pushNotifications ? <PushCards /> : null}
        <SettingsSection name="notifications" title="Notifications" hint="Choose in-app, email or push for each kind">
          <SettingsNotifications {...card} />
        </SettingsSection>
        <SettingsSection
          name="quiet-hours"
          title="Quiet hours"
          hint="Pause push, hold email, and choose how email is delivered"
        >
          <SettingsDelivery {...card} />
        </SettingsSection>
        <SettingsSection name="lane" title="Lane and bids" hint="One-tap bids, positions, sound, keys and day limit">
          <SettingsToggles toggles={bidToggles} {...card} />
          <SettingsLane {...card} />
        </SettingsSection>
        <SettingsSection name="privacy" title="Privacy" hint="Public page, read receipts and typing indicators">
          <SettingsToggles toggles={privacyToggles} {...card} />
        </SettingsSection>
        <SettingsSection name="appearance" title="Appearance" hint="Light or dark theme">
          <SettingsTheme {...card} />
        </SettingsSection>
        <SettingsSection
          cards
          name="saved"
          title="Saved searches"
          hint="Searches in the feed and Find that notify you of new matches"
        >
          <SavedSearches />
        </SettingsSection>
        <SettingsSection
          cards
          name="security"
          title="Security"
          hint="Email, password, second factor, passkeys and sessions"
        >
          <AccountSecurity keys={<OwnRemainingApiKeys />} />
        </SettingsSection>
        <SettingsSection cards name="api-keys" title="API keys" hint="Keys for other programs">
          <ApiKeysCard apiAccess={mine.data?.entitlements.includes('apiAccess')} />
        </SettingsSection>
        <SettingsSection cards name="data" title="Your data" hint="Download a copy, or delete your account">
          <SettingsAccount hasPassword={security.data?.hasPassword} />
        </SettingsSection>
      </div>
    </PageLayout>
  )
}
