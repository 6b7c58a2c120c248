import { Play } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#client/ui/button.tsx'

const loadTour = () => import('./demo-tour.tsx')
const DemoTour = lazy(async () => ({ default: (await loadTour()).DemoTour }))

/** The Watch Demo button. The tour is fetched when the pointer or the keyboard comes near. */
export function WatchDemo() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="lg"
        icon={<Play size={16} aria-hidden="true" />}
        aria-haspopup="dialog"
        onPointerEnter={() => void loadTour()}
        onFocus={() => void loadTour()}
        onClick={() => setOpen(true)}
      >
        Watch Demo
      </Button>
      <Suspense fallback={null}>{open ? <DemoTour onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}
