import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { Button } from '#client/ui/button.tsx'

interface PastDueNoticeProps {
  label?: string
  busy: boolean
  onPay: () => void
}

export function PastDueNotice({ label = 'Pay now', busy, onPay }: PastDueNoticeProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-danger-soft px-4 py-3 text-danger-ink max-md:mx-4"
    >
      <p className="flex items-start gap-2">
        <CircleAlert size={16} aria-hidden="true" className="mt-0.5" />
        Your last payment failed. Features that need your plan are paused until you pay the open invoice.
      </p>
      <Button busy={busy} onClick={onPay}>
        {label}
      </Button>
    </div>
  )
}
