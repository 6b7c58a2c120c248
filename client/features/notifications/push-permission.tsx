import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'

const current = (): NotificationPermission => ('Notification' in window ? Notification.permission : 'denied')

/** A browser shows notices only where its owner has allowed it, and asks only after a press. */
export function PushPermission() {
  const [permission, setPermission] = useState(current)
  if (permission === 'granted') return null
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line bg-sunken px-3 py-2">
      <p className="text-ink-2">
        {permission === 'denied'
          ? 'This browser does not show notifications of Lanewire. Allow them in its site settings.'
          : 'This browser has not been asked to show notifications.'}
      </p>
      {permission === 'default' ? (
        <Button onClick={() => void Notification.requestPermission().then(setPermission)}>Allow</Button>
      ) : null}
    </div>
  )
}
