import { useSearchParams } from 'wouter'
import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { LoginForm } from '#client/features/auth/login-form.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'

export function LoginPage() {
  useDocumentTitle('Login')
  const [params] = useSearchParams()
  return (
    <AuthFrame>
      <LoginForm initialMode={params.get('mode') === 'signup' ? 'signup' : 'login'} />
    </AuthFrame>
  )
}
