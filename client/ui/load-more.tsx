import { Button } from './button.tsx'

/** The button under a list that grows. */
export function LoadMore({
  onLoad,
  busy = false,
  label = 'Load More',
}: {
  onLoad: () => void
  busy?: boolean
  label?: string
}) {
  return (
    <div className="flex justify-center p-2">
      <Button size="lg" busy={busy} onClick={onLoad}>
        {label}
      </Button>
    </div>
  )
}
