import type { Settings } from './schemas/account.ts'

const everyChannel = { inApp: true, email: true, push: true }
const onlyInApp = { inApp: true, email: false, push: false }

/** Default settings. Contact sharing and the public page are off until the dealer turns them on. */
const defaultSettings: Settings = {
  emailNotifications: true,
  pushNotifications: true,
  dealAlerts: true,
  messageAlerts: true,
  autoRefresh: true,
  profileVisibility: true,
  showOnPublicPage: false,
  onlineStatus: true,
  contactSharing: false,
  readReceipts: true,
  typingIndicators: true,
  oneTapBids: false,
  inventoryView: 'list',
  itemsPerPage: null,
  theme: 'system',
  emailDelivery: 'immediate',
  lane: { panes: null, autoPin: true, refill: true, sound: false, keys: true, dayLimit: null },
  quietHours: { on: false, from: '22:00', to: '07:00', timeZone: 'America/Chicago', urgent: false },
  notifications: {
    comment: everyChannel,
    info: everyChannel,
    request: everyChannel,
    accepted: onlyInApp,
    messages: everyChannel,
    outbid: everyChannel,
    won: everyChannel,
    deal: everyChannel,
    savedSearch: everyChannel,
    match: everyChannel,
    expired: everyChannel,
    unreadable: everyChannel,
    subscription: everyChannel,
    moderation: everyChannel,
    account: everyChannel,
    queues: everyChannel,
  },
}

/** Fills in missing settings. Does not validate the others, because the server did so when it stored them. */
export function settingsOf(stored: unknown): Settings {
  const saved = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Settings>
  return {
    ...defaultSettings,
    ...saved,
    lane: { ...defaultSettings.lane, ...saved.lane },
    quietHours: { ...defaultSettings.quietHours, ...saved.quietHours },
    notifications: { ...defaultSettings.notifications, ...saved.notifications },
  }
}
