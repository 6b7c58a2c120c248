import { Button } from '#client/ui/button.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { useResendVerification } from '../auth.api.ts'

export function ResendButton({ variant, onSent }: { variant?: 'primary'; onSent?: () => void }) {
  const resend = useResendVerification()
  const press = () =>
    resend.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Email Sent', description: 'Open the link in it to confirm your email address.' })
        onSent?.()
      },
    })
  return (
    <Button busy={resend.isPending} onClick={press} {...(variant && { variant })}>
      Resend confirmation email
    </Button>
  )
}
