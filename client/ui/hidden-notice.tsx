/** Informs the author that a moderator has hidden their post or comment. It replaces the usual actions. */
export function HiddenNotice({ what }: { what: 'post' | 'comment' }) {
  return (
    <p className="mt-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      Hidden by a moderator. Only you can see this {what}.
    </p>
  )
}
