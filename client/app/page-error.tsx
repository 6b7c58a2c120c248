import RotateCw from 'lucide-react/icons/rotate-cw'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { useLocation } from 'wouter'
import { forgetFailedParts } from '#client/lib/screen/lazy-part.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Splash } from './splash.tsx'

const reload = () => window.location.reload()

/** Browser messages for code that could not be loaded, because the device is offline or a deploy replaced the files. */
const missingPart = /dynamically imported module|module script failed|preload CSS/i

const isMissingPart = (error: unknown) => error instanceof Error && missingPart.test(error.message)

const hintFor = (error: unknown) =>
  isMissingPart(error)
    ? 'This part of Lanewire could not be loaded. You may be offline, or there is a new version.'
    : 'Something went wrong loading this page. Everything you posted or sent is saved.'

/** Catches the errors of one page, so that the frame and the dock keep working. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <ErrorBoundary resetKeys={[path]} onError={forgetFailedParts} FallbackComponent={PageError}>
      {children}
    </ErrorBoundary>
  )
}

function PageError({ error, resetErrorBoundary }: FallbackProps) {
  const mayRetry = isMissingPart(error)
  return (
    <main id="main" className="mx-auto w-full max-w-[52.5rem] px-6 py-4 max-md:px-0">
      <Card role="alert">
        <EmptyState
          level={1}
          icon={<TriangleAlert size={24} />}
          title="This page stopped working"
          hint={hintFor(error)}
          action={
            <div className="flex flex-wrap justify-center gap-2">
              {mayRetry ? (
                <Button variant="primary" icon={<RotateCw size={16} />} onClick={resetErrorBoundary}>
                  Retry
                </Button>
              ) : null}
              <Button variant={mayRetry ? 'secondary' : 'primary'} onClick={reload}>
                Reload
              </Button>
              <ButtonLink href="/">Back to Feed</ButtonLink>
            </div>
          }
        />
      </Card>
    </main>
  )
}

/** Catches errors of components beside the page, such as the dock and notifications. */
export function ExtraBoundary({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary onError={forgetFailedParts} FallbackComponent={ExtraError}>
      {children}
    </ErrorBoundary>
  )
}

function ExtraError({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <div
      role="alert"
      className="fixed right-4 bottom-4 z-30 flex items-center gap-3 rounded-lg border border-line bg-surface p-3 shadow-2 max-md:bottom-18"
    >
      A part of the page stopped working.
      {isMissingPart(error) ? (
        <Button size="sm" onClick={resetErrorBoundary}>
          Retry
        </Button>
      ) : null}
      <Button size="sm" onClick={reload}>
        Reload
      </Button>
    </div>
  )
}

/** The outermost error boundary, which shows an error instead of a blank screen. */
export function AppBoundary({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary
      onError={forgetFailedParts}
      fallbackRender={({ error }) => (
        <Splash text="" title="Lanewire stopped working" failure={hintFor(error)} onRetry={reload} />
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
