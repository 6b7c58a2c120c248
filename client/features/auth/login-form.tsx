import { useQuery } from '@tanstack/react-query'
import { reasonOf } from '#client/lib/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { authStatusQuery, useLogin } from './auth.api.ts'

const missing = 'Please fill in all required fields'

/** E-mail and password; the demo login only where the server allows test aids. */
export function LoginForm() {
  const login = useLogin()
  const status = useQuery(authStatusQuery())
  const fail = (error: Error) =>
    toast({
      title: 'Login Failed',
      description: reasonOf(error) || 'Invalid email or password',
      variant: 'destructive',
    })
  const form = useFormState({
    initial: { email: '', password: '' },
    validate: ({ email, password }) => ({ ...(!email && { email: missing }), ...(!password && { password: missing }) }),
    onSubmit: (values) => login.mutate(values, { onError: fail }),
    onInvalid: () => toast({ title: 'Missing Information', description: missing, variant: 'destructive' }),
  })
  return (
    <div className="m-auto w-92 max-w-full space-y-4">
      <div>
        <h1 className="text-lg font-semibold tracking-lg">Welcome back</h1>
        <p className="text-ink-2">Sign in to your dealer account.</p>
      </div>
      <form noValidate onSubmit={form.submit} className="space-y-3">
        <Field label="Email" error={form.errors.email} required>
          <Input
            size="lg"
            type="email"
            autoComplete="email"
            value={form.values.email}
            onChange={(event) => form.set('email', event.target.value)}
          />
        </Field>
        <Field label="Password" error={form.errors.password} required>
          <Input
            size="lg"
            type="password"
            autoComplete="current-password"
            value={form.values.password}
            onChange={(event) => form.set('password', event.target.value)}
          />
        </Field>
        <Button type="submit" variant="primary" size="lg" block busy={login.isPending}>
          Login
        </Button>
      </form>
      {status.data?.demo ? (
        <div className="flex items-center justify-between gap-2 rounded-md border border-dashed border-control p-2 pl-3 text-xs text-ink-2">
          Test aid
          <Button size="sm" onClick={() => login.mutate('demo', { onError: fail })}>
            Quick Login as Demo User
          </Button>
        </div>
      ) : null}
    </div>
  )
}
