/** Tells the author that their post or comment is hidden. Shown instead of its actions. */
export function HiddenNotice({ what }: { what: 'post' | 'comment' }) {
  return (
    <p className="mt-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      Hidden by a moderator. Only you can see this {what}.
    </p>
  )
}
