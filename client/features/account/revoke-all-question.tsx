import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'

interface RevokeAllQuestionProps {
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export function RevokeAllQuestion({ busy, onConfirm, onClose }: RevokeAllQuestionProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Revoke all API keys?"
      description="Every program that uses one stops working. This cannot be undone."
      confirmLabel="Revoke all"
      destructive
      busy={busy}
      onConfirm={onConfirm}
    />
  )
}
