import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { LoginForm } from '#client/features/auth/login-form.tsx'
import { storeSelectedPlan } from '#client/features/billing/checkout/selected-plan.ts'
import { useDocumentTitle } from '#client/ui/document-title.ts'

export function LoginPage() {
  useDocumentTitle('Login')
  const [params] = useSearchParams()
  const plan = params.get('plan')
  // The visitor chose this plan on the public site. The plan step of onboarding preselects it.
  useEffect(() => {
    if (plan) storeSelectedPlan(plan)
  }, [plan])
  return (
    <AuthFrame>
      <LoginForm
        initialMode={params.get('mode') === 'signup' ? 'signup' : 'login'}
        demoAccount={params.get('as') ?? undefined}
      />
    </AuthFrame>
  )
}
