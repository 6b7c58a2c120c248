export function HiddenNotice({ what }: { what: 'post' | 'comment' }) {
  return (
    <p className="mt-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      Hidden by a moderator. Only you can see this {what}.
    </p>
  )
}
