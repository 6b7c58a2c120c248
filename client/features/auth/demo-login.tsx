import { Button } from '#client/ui/button.tsx'
import { TestAid } from '#client/ui/test-aid.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { useDemoLogin } from './auth.api.ts'

/** A demo account of one's own (spec B §2, a test aid). */
export function DemoLogin() {
  const demo = useDemoLogin()
  const press = () =>
    demo.mutate(undefined, {
      onSuccess: ({ user }) => toast({ title: 'Demo Account Created', description: `You are ${user.dealershipName}` }),
      onError: (error) => toastFailure('Error', error, 'Failed to create demo account'),
    })
  return (
    <TestAid>
      <Button size="sm" busy={demo.isPending || demo.isSuccess} onClick={press}>
        Quick Login as Demo User
      </Button>
    </TestAid>
  )
}
