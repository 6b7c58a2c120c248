import { Button } from './button.tsx'

/** The button under a list that grows. */
export function LoadMore({
  onLoad,
  busy = false,
  disabled = false,
  label = 'Load More',
}: {
  onLoad: () => void
  busy?: boolean
  /** There is no more; what stands beside it says so. */
  disabled?: boolean
  label?: string
}) {
  return (
    <div className="flex justify-center p-2">
      <Button size="lg" busy={busy} disabled={disabled} onClick={onLoad}>
        {label}
      </Button>
    </div>
  )
}
