import { Button } from '#client/ui/button.tsx'

interface KeptNoteProps {
  /** What the form shows was typed before, and is not saved. */
  shown: boolean
  onStartOver: () => void
}

/** In the footer of a form that shows more than is saved. */
export function KeptNote({ shown, onStartOver }: KeptNoteProps) {
  return (
    <span role="status" className="mr-auto">
      {shown ? (
        <Button variant="ghost" size="sm" onClick={onStartOver}>
          Draft restored. Start over
        </Button>
      ) : null}
    </span>
  )
}
