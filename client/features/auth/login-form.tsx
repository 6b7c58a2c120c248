import KeyRound from 'lucide-react/icons/key-round'
import { Button } from '#client/ui/button.tsx'
import { TestingBox } from '#client/ui/testing-box.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { authStatusQuery, joiningQuery, useDemoLogin } from './auth.api.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Segmented } from '#client/ui/segmented.tsx'
import type { JoiningStatus, AuthStatus } from '#shared/schemas/auth.ts'
import { type AuthMode, CredentialsForm } from './credentials-form.tsx'
import { GoogleButton } from './google-button.tsx'
import { GoogleNotice } from './google-notice.tsx'
import { SecondFactorForm } from './security/second-factor-form.tsx'
import { usePasskeySignIn } from './security/second-factor.api.ts'

function DemoLogin() {
  const demo = useDemoLogin()
  const press = () =>
    demo.mutate(undefined, {
      onSuccess: ({ user }) => toast({ title: 'Demo Account Created', description: `You are ${user.dealershipName}` }),
      onError: (error) => toastFailure('Error', error, 'Failed to create demo account'),
    })
  return (
    <TestingBox>
      <Button size="sm" busy={demo.isPending || demo.isSuccess} onClick={press}>
        Quick Login as Demo User
      </Button>
    </TestingBox>
  )
}

function PasskeyButton() {
  const signIn = usePasskeySignIn()
  return (
    <Button
      size="lg"
      block
      icon={<KeyRound size={16} aria-hidden="true" />}
      busy={signIn.isPending || signIn.isSuccess}
      onClick={() =>
        signIn.mutate(undefined, {
          onSuccess: () => toast({ title: 'Login Successful', description: 'Welcome back!' }),
        })
      }
    >
      Sign in with a passkey
    </Button>
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

interface SignInWaysProps {
  mode: AuthMode
  status: AuthStatus | undefined
  /** Email address of the demo account that fills the form. By default, that is the first demo account. */
  demoAccount: string | undefined
}

/** Returns the credentials that fill the sign-in form. Sign-up gets none, because that email address already has an account. */
function sampleFor({ mode, status, demoAccount }: SignInWaysProps): AuthStatus['sampleLogin'] {
  const sample = mode === 'login' ? status?.sampleLogin : null
  return sample ? { ...sample, ...(demoAccount !== undefined && { email: demoAccount }) } : null
}

function SignInWays(props: SignInWaysProps) {
  const { mode, status } = props
  const offersOthers = mode === 'login' || status?.google === true
  return (
    <>
      <GoogleButton />
      {mode === 'login' ? <PasskeyButton /> : null}
      {offersOthers ? (
        <p className="flex items-center gap-3 text-xs text-ink-2 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or with email
        </p>
      ) : null}
      {/* Wait for the status: the form reads `sample` only when it mounts, so a sample that arrives later would be ignored. */}
      {status ? <CredentialsForm key={mode} mode={mode} sample={sampleFor(props)} /> : null}
    </>
  )
}

const approvalHint = 'A dealer profile comes next. An admin reviews it before you can use the network.'

function ByInvitation() {
  return (
    <div role="note" className="rounded-md bg-accent-soft p-3">
      <p className="font-semibold">This network is invitation-only</p>
      <p className="text-ink-2">
        Open the link in your invitation email. It only works for that address. To request an invitation,{' '}
        <a href="/contact" className="text-accent-ink underline">
          contact us
        </a>
        .
      </p>
    </div>
  )
}

function WithoutAdmin() {
  return (
    <div role="note" className="rounded-md bg-warning-soft p-3 text-warning-ink">
      <p className="font-semibold">This network has no admin yet</p>
      <p className="text-ink-2">
        The person running this server creates it, using the link in the server log.{' '}
        <Link href="/setup" className="text-accent-ink underline">
          Set up this network
        </Link>
      </p>
    </div>
  )
}

function hintOf(mode: AuthMode, joining: JoiningStatus['joining'] | undefined, billing: boolean): string {
  if (mode === 'login') return words.login.hint
  if (joining === 'approval') return approvalHint
  if (joining === 'invitation') return 'You need an invitation to create an account.'
  return billing ? words.signup.hint : 'A dealer profile comes next.'
}

interface LoginFormProps {
  initialMode?: AuthMode
  demoAccount?: string | undefined
}

export function LoginForm({ initialMode = 'login', demoAccount }: LoginFormProps) {
  const { data: status } = useQuery(authStatusQuery())
  if (status?.secondFactor) return <SecondFactorForm factors={status.secondFactor} />
  return <FirstFactor initialMode={initialMode} status={status} demoAccount={demoAccount} />
}

interface FirstFactorProps extends Omit<SignInWaysProps, 'mode'> {
  initialMode: AuthMode
}

function FirstFactor({ initialMode, status, demoAccount }: FirstFactorProps) {
  const [mode, setMode] = useState<AuthMode>(initialMode)
  const billing = useBilling()
  const joiningStatus = useQuery(joiningQuery())
  const joining = joiningStatus.data?.joining
  const closed = mode === 'signup' && joining === 'invitation'
  return (
    <div className="m-auto w-92 max-w-full space-y-4 py-8">
      <div>
        <h1 className="text-lg font-semibold tracking-lg">{words[mode].title}</h1>
        <p className="text-ink-2">{hintOf(mode, joining, billing)}</p>
      </div>
      {joiningStatus.data?.needsSetup ? <WithoutAdmin /> : null}
      <Segmented label="Mode" value={mode} onChange={setMode} options={modes} block />
      {closed ? <ByInvitation /> : null}
      <GoogleNotice />
      {closed ? null : <SignInWays mode={mode} status={status} demoAccount={demoAccount} />}
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
