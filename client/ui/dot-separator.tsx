export function DotSeparator() {
  return (
    <span aria-hidden="true" className="mx-1 text-ink-3">
      ·
    </span>
  )
}
