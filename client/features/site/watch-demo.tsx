import Play from 'lucide-react/icons/play'
import { Suspense, useState } from 'react'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { Button } from '#client/ui/button.tsx'

const DemoTour = lazyPart(async () => (await import('./demo-tour.tsx')).DemoTour)
const fetchTour = () => void DemoTour.preload().catch(() => undefined)

export function WatchDemo() {
  const [open, setOpen] = useState(false)
  // A public page has no error boundary, so open the tour only after it has loaded. If loading fails, the next press tries again.
  const openTour = () =>
    void DemoTour.preload().then(
      () => setOpen(true),
      () => undefined,
    )
  return (
    <>
      <Button
        size="lg"
        icon={<Play size={16} aria-hidden="true" />}
        aria-haspopup="dialog"
        onPointerEnter={fetchTour}
        onFocus={fetchTour}
        onClick={openTour}
      >
        Watch Demo
      </Button>
      <Suspense fallback={null}>{open ? <DemoTour onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}
