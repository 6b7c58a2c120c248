import { useState } from 'react'
import { askForNotices, noticeObstacles, noticePermission } from '#client/lib/screen/desktop-notices.ts'
import { Button } from '#client/ui/button.tsx'

/** Asks for permission to show desktop notices. Browsers allow this only on a press. */
export function PushPermission() {
  const [permission, setPermission] = useState(noticePermission)
  if (permission === 'granted') return null
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line bg-sunken px-3 py-2">
      <p className="text-ink-2">{noticeObstacles[permission]}</p>
      {permission === 'default' ? (
        <Button onClick={() => void askForNotices().then(setPermission)}>Allow</Button>
      ) : null}
    </div>
  )
}
