import { useLocation } from 'wouter'
import { NotificationsPanel } from '#client/features/notifications/notifications-panel.tsx'
import { HomePage } from './home.tsx'

export function NotificationsPage() {
  const [path, navigate] = useLocation()
  return (
    <>
      <HomePage />
      <NotificationsPanel
        onClose={() => {
          // A press on a notification has already navigated to another page.
          if (path === '/notifications') navigate('/')
        }}
      />
    </>
  )
}
