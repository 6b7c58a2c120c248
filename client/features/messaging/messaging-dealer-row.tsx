import { Avatar } from '#client/ui/avatar.tsx'

/** A dealer as a row of a list that picks one. */
export function DealerRow({
  dealer,
  detail,
  onPick,
}: {
  dealer: { name: string; avatar: string | null }
  detail: string
  onPick: () => void
}) {
  return (
    <button
      type="button"
      onClick={onPick}
      className="flex min-h-14 w-full items-center gap-3 px-3 text-left -outline-offset-2 hover:bg-hover"
    >
      <Avatar name={dealer.name} src={dealer.avatar} size={32} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{dealer.name}</span>
        <span className="block truncate text-xs text-ink-2">{detail}</span>
      </span>
    </button>
  )
}
