import { type AddressRefusal, forgetAddressRefusal } from '#client/lib/session/unconfirmed-email-refusal.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useDismissShown } from '#client/ui/toast-store.ts'
import { ResendButton } from './security/resend-button.tsx'

export function AddressDialog({ reason, isInputKept }: AddressRefusal) {
  useDismissShown(reason)
  return (
    <Dialog
      open
      compact
      onOpenChange={(stays) => !stays && forgetAddressRefusal()}
      title="Confirm your email address"
      footer={
        <>
          <Button onClick={forgetAddressRefusal}>Not now</Button>
          <ResendButton variant="primary" onSent={forgetAddressRefusal} />
        </>
      }
    >
      <p>{reason}.</p>
      {isInputKept ? (
        <p className="mt-2 text-ink-2">This form keeps what you've typed until you come back to it.</p>
      ) : null}
    </Dialog>
  )
}
