import { Button } from '#client/ui/button.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { useResendVerification } from '../auth.api.ts'

export function ResendButton({ variant, onSent }: { variant?: 'primary'; onSent?: () => void }) {
  const resend = useResendVerification()
  const press = () =>
    resend.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Mail Sent', description: 'Follow the link in it to confirm your email.' })
        onSent?.()
      },
    })
  return (
    <Button busy={resend.isPending} onClick={press} {...(variant && { variant })}>
      Send the confirmation mail again
    </Button>
  )
}
