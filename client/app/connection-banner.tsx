import { WifiOff } from 'lucide-react'
import { useConnection } from '#client/lib/connection.ts'
import { Banner } from '#client/ui/banner.tsx'

/** Says how things are while events do not arrive. */
export function ConnectionBanner() {
  if (useConnection() !== 'offline') return null
  return (
    <Banner tone="warning" icon={<WifiOff size={16} aria-hidden="true" />}>
      Reconnecting… showing updates every 30 seconds
    </Banner>
  )
}
