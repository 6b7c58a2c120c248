import { BrandMark } from '#client/ui/brand.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Spinner } from '#client/ui/spinner.tsx'

interface SplashProps {
  text: string
  title?: string
  failure?: string | undefined
  retrying?: boolean
  onRetry?: () => void
}

export function Splash({
  text,
  title = 'Lanewire could not be reached',
  failure,
  retrying = false,
  onRetry,
}: SplashProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4 p-6">
      <BrandMark />
      {failure ? (
        <div className="w-full max-w-100">
          <InlineError title={title} message={failure} onRetry={onRetry} retrying={retrying} />
        </div>
      ) : (
        <p role="status" className="flex items-center gap-2 text-ink-2">
          <Spinner />
          {text}
        </p>
      )}
    </main>
  )
}
