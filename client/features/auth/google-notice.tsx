import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { isSignedIn, useLinkGoogle } from './auth.api.ts'

const notices: Record<string, { title: string; message: string }> = {
  off: {
    title: 'Google sign-in is not set up on this server',
    message: 'Use your email and password instead.',
  },
  failed: {
    title: 'Google sign-in was not completed',
    message: 'Nothing was changed. Try again or use your password.',
  },
  unverified: {
    title: 'Google has not verified this email',
    message: 'Confirm the address with Google first, or sign up with a password.',
  },
  invitation: {
    title: 'This network is invitation-only',
    message:
      'Open the link in your invitation email. Your Google address was not invited, or the invitation has expired.',
  },
  suspended: { title: 'This account is suspended', message: 'Contact us if you think this is a mistake.' },
}

/** Shows the result of a Google sign-in, which the server puts into the URL. */
export function GoogleNotice() {
  const [params] = useSearchParams()
  const outcome = params.get('google') ?? ''
  if (outcome === 'link') return <LinkGoogleForm />
  const notice = notices[outcome]
  return notice ? <InlineError {...notice} /> : null
}

/** Links Google to an existing account with the same email address. Asks for the account's password first. */
function LinkGoogleForm() {
  const link = useLinkGoogle()
  const [password, setPassword] = useState('')
  const submit = () =>
    link.mutate(password, {
      onSuccess: (answer) => {
        const title = isSignedIn(answer) ? 'Login Successful' : 'Google Linked'
        toast({ title, description: 'You can now sign in with Google.' })
      },
    })
  return (
    <form
      noValidate
      aria-label="Link Google"
      className="space-y-3 rounded-md bg-accent-soft p-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p>
        An account with your Google email already exists. Enter its password once to sign in with Google from now on.
      </p>
      <PasswordField
        label="Account password"
        kind="current"
        size="lg"
        error={link.isError ? reasonOf(link.error) : undefined}
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" size="lg" block busy={link.isPending} disabled={password === ''}>
        Link Google and sign in
      </Button>
    </form>
  )
}
