import type { AdminUser } from '#shared/schemas/admin.ts'
import { useJudgeAdmission } from '../admin.api.ts'
import { ReasonDialog } from '../admin-reason-dialog.tsx'

export function DeclineDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const judge = useJudgeAdmission()
  return (
    <ReasonDialog
      open
      onOpenChange={onClose}
      title={`Decline ${user.dealershipName || user.name || user.email}?`}
      description="The dealer sees the reason by email and when they sign in. You can still approve the account later."
      confirmLabel="Decline"
      busy={judge.isPending}
      onConfirm={(reason) => judge.mutate({ id: user.id, verdict: 'declined', reason }, { onSuccess: onClose })}
    />
  )
}
