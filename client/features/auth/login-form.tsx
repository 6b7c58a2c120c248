import { Button } from '#client/ui/button.tsx'
import { TestAid } from '#client/ui/test-aid.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { authStatusQuery, useDemoLogin } from './auth.api.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Segmented } from '#client/ui/segmented.tsx'
import { type AuthMode, CredentialsForm } from './credentials-form.tsx'
import { GoogleButton } from './google-button.tsx'
import { GoogleNotice } from './google-notice.tsx'

/** A demo account of one's own. */
function DemoLogin() {
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

const modes = [
  { value: 'login', label: 'Login' },
  { value: 'signup', label: 'Sign Up' },
] as const

const words: Record<AuthMode, { title: string; hint: string }> = {
  login: { title: 'Welcome back', hint: 'Sign in to your dealer account.' },
  signup: { title: 'Create your account', hint: 'A dealer profile and a plan come next.' },
}

/** One screen, two modes. */
export function LoginForm({ initialMode = 'login' }: { initialMode?: AuthMode }) {
  const [mode, setMode] = useState<AuthMode>(initialMode)
  const { data: status } = useQuery(authStatusQuery())
  return (
    <div className="m-auto w-92 max-w-full space-y-4 py-8">
      <div>
        <h1 className="text-lg font-semibold tracking-lg">{words[mode].title}</h1>
        <p className="text-ink-2">{words[mode].hint}</p>
      </div>
      <Segmented label="Mode" value={mode} onChange={setMode} options={modes} block />
      <GoogleNotice />
      <GoogleButton />
      <p className="flex items-center gap-3 text-xs text-ink-2 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with email
      </p>
      {/* Filled once with the sample account, so it waits for the status. */}
      {status ? <CredentialsForm key={mode} mode={mode} sample={status.sampleLogin} /> : null}
      {mode === 'login' ? (
        <p className="text-center">
          <Link href="/reset" className="inline-flex items-center text-accent-ink hover:underline max-md:min-h-11">
            Forgot your password?
          </Link>
        </p>
      ) : null}
      {status?.demo ? <DemoLogin /> : null}
    </div>
  )
}
