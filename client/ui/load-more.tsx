import { Button } from './button.tsx'

export function LoadMore({
  onLoad,
  busy = false,
  disabled = false,
  label = 'Load More',
}: {
  onLoad: () => void
  busy?: boolean
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
