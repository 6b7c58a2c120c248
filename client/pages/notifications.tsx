import { useLocation } from 'wouter'
import { NotificationsPanel } from '#client/features/notifications/notifications-panel.tsx'
import { HomePage } from './home.tsx'

/** The home feed with the notifications open. */
export function NotificationsPage() {
  const [path, navigate] = useLocation()
  return (
    <>
      <HomePage />
      <NotificationsPanel
        onClose={() => {
          // A press on a notice has gone elsewhere already.
          if (path === '/notifications') navigate('/')
        }}
      />
    </>
  )
}
