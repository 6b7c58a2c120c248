import WifiOff from 'lucide-react/icons/wifi-off'
import { Brand } from '#client/ui/brand.tsx'
import { Button } from '#client/ui/button.tsx'

/** Shown by the service worker if a page cannot be fetched. The form has no action, so submitting it reloads the page. */
export function OfflinePage() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-3 p-6 text-center">
      <Brand />
      <WifiOff size={24} className="mt-6 text-ink-3" aria-hidden="true" />
      <h1 className="text-lg font-semibold tracking-lg">You are offline</h1>
      <p className="max-w-90 text-base text-balance text-ink-2">
        Lanewire cannot be reached. Messages you wrote are saved and will be sent when you're back online.
      </p>
      <form className="mt-3">
        <Button type="submit" variant="primary" size="lg">
          Try again
        </Button>
      </form>
    </main>
  )
}
