import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { formatVehicle } from '#client/ui/format.ts'
import type { Deal } from '#shared/schemas/deals.ts'

interface CompleteDealDialogProps {
  deal: Deal
  open: boolean
  onOpenChange: (open: boolean) => void
  busy?: boolean
  onConfirm: () => void
}

export function CompleteDealDialog({ deal, ...dialog }: CompleteDealDialogProps) {
  return (
    <ConfirmDialog
      title="Complete this deal?"
      description={`Both of you have signed. Complete the deal once you have the ${formatVehicle(deal) || 'vehicle'}. The vehicle is then sold, and this cannot be undone.`}
      confirmLabel="Complete deal"
      cancelLabel="Not yet"
      {...dialog}
    />
  )
}
