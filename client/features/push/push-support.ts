import { noticePermission } from '#client/lib/screen/desktop-notices.ts'

/** `install`: on an iPhone or iPad, push works only in the installed app. `update`: iOS is too old for push. */
export type PushSupport = 'ready' | 'denied' | 'install' | 'update' | 'none'

/** iPads identify themselves as Macs, but Macs have no touch screen. */
const isApple = ({ userAgent, maxTouchPoints }: Navigator): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)

const firstIosWithPush = 16.4

/** Returns the iOS version, such as 16.3. Undefined if the user agent does not contain it. */
function iosVersion(userAgent: string): number | undefined {
  const [, major, minor = '0'] = /OS (\d+)_(\d+)/.exec(userAgent) ?? []
  return major === undefined || userAgent.includes('Mac OS X 10_') ? undefined : Number(`${major}.${minor}`)
}

export function pushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return noticePermission() === 'denied' ? 'denied' : 'ready'
  if (!isApple(navigator)) return 'none'
  const version = iosVersion(navigator.userAgent)
  return version !== undefined && version < firstIosWithPush ? 'update' : 'install'
}

const steps: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'On this device: Settings, Notifications, Lanewire, Allow Notifications.'],
  [/Android.*Firefox\/|Firefox\/.*Android/, 'In Firefox: press the lock beside the address, then Notifications.'],
  [/Android/, 'In this browser: press the icon left of the address, then Permissions, Notifications.'],
  [/Firefox\//, 'In Firefox: press the icon left of the address and remove the block beside Send notifications.'],
  [/Edg\//, 'In Edge: press the lock left of the address, then Permissions for this site, Notifications, Allow.'],
  [/Chrome\//, 'In Chrome: press the icon left of the address, then Site settings, Notifications, Allow.'],
  [/Safari\//, 'In Safari: Settings, Websites, Notifications, then allow this site.'],
]

export const stepsToAllow = (userAgent: string): string | undefined => steps.find(([mark]) => mark.test(userAgent))?.[1]
