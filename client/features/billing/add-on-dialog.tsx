import { useQuery } from '@tanstack/react-query'
import type { AddOn, ProrationPreview } from '#shared/schemas/billing.ts'
import { toast } from '#client/ui/toast-store.ts'
import { addOnPreviewQuery, useAddAddOn } from './billing.api.ts'
import { priceAnew, ProrationDialog } from './proration-dialog.tsx'

/** What the add-on costs for the rest of the month, before it is bought. */
export function AddAddOnDialog({ addOn, onClose }: { addOn: AddOn; onClose: () => void }) {
  const preview = useQuery(addOnPreviewQuery(addOn.id))
  const add = useAddAddOn()
  const confirm = ({ quote }: ProrationPreview) =>
    add.mutate(
      { id: addOn.id, quote },
      {
        onSuccess: () => {
          toast({ title: 'Add-on Added', description: `${addOn.name} is on your plan now.` })
          onClose()
        },
        onError: priceAnew(preview),
      },
    )
  return (
    <ProrationDialog
      title={`Add ${addOn.name}`}
      description="Today you pay for the rest of your billing period; then it is on your monthly invoice."
      preview={preview}
      labels={{ keep: 'Not now', free: 'Add', verb: 'add' }}
      busy={add.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
