import { RefreshCw } from 'lucide-react'
import { useUpdateWaiting } from '#client/lib/connection.ts'
import { Banner } from '#client/ui/banner.tsx'

/** A tab that stays open all day outlives deploys: it says so, and leaves the moment to the dealer. */
export function UpdateBanner() {
  if (!useUpdateWaiting()) return null
  return (
    <Banner icon={<RefreshCw size={16} aria-hidden="true" />}>
      A new version of Lanewire is ready.{' '}
      <button type="button" className="underline max-md:py-3" onClick={() => window.location.reload()}>
        Reload
      </button>
    </Banner>
  )
}
