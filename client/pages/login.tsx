import { LoginForm } from '#client/features/auth/login-form.tsx'
import { Brand } from '#client/ui/brand.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'

export function LoginPage() {
  useDocumentTitle('Login')
  return (
    <div className="grid min-h-dvh bg-surface lg:grid-cols-2">
      <main id="main" className="flex flex-col px-12 py-8 max-md:px-4 max-md:py-6">
        <Brand />
        <LoginForm />
        <p className="text-xs text-ink-3">Verified automotive dealers only.</p>
      </main>
      <aside data-theme="dark" aria-hidden="true" className="relative overflow-hidden bg-canvas max-lg:hidden">
        <div className="lane-lines absolute inset-0" />
      </aside>
    </div>
  )
}
