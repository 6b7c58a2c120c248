import { ShieldCheck } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'

const words = {
  payment: { title: 'Confirm this payment', approve: 'Approve payment' },
  card: { title: 'Confirm this card', approve: 'Approve card' },
}

interface AuthenticationDialogProps {
  /** What the bank is asked about. */
  what?: keyof typeof words
  open: boolean
  busy: boolean
  onAnswer: (approve: boolean) => void
}

/** What the cardholder's bank would show (3-D Secure), played by the local stand-in of the payment provider. */
export function AuthenticationDialog({ what = 'payment', open, busy, onAnswer }: AuthenticationDialogProps) {
  return (
    <Dialog
      compact
      open={open}
      onOpenChange={(stays) => !stays && !busy && onAnswer(false)}
      title={words[what].title}
      description="Your bank wants to know that it is you. Nothing is charged before you approve."
      footer={
        <>
          <Button disabled={busy} onClick={() => onAnswer(false)}>
            Decline
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onAnswer(true)}>
            {words[what].approve}
          </Button>
        </>
      }
    >
      <p className="flex items-center gap-2 rounded-md bg-sunken p-3 text-ink-2">
        <ShieldCheck size={16} aria-hidden="true" className="text-accent-ink" />
        Test bank: this step stands in for 3-D Secure on a demo server.
      </p>
    </Dialog>
  )
}
