import CircleCheck from 'lucide-react/icons/circle-check'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Input } from '#client/ui/input.tsx'
import type { MailingList } from '#shared/contact.ts'
import { emailMax, isEmail } from '#shared/email.ts'
import { Honeypot } from './honeypot.tsx'
import { subscribe } from './site.api.ts'

export function NewsletterForm({ list }: { list: MailingList }) {
  const id = useId()
  const [email, setEmail] = useState('')
  const [website, setWebsite] = useState('')
  const [error, setError] = useState('')
  const [state, setState] = useState<'idle' | 'busy' | 'asked'>('idle')

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmail(email.trim())) return setError('Please enter a valid email address')
    setState('busy')
    setError('')
    subscribe(list, { email, website }).then(
      () => setState('asked'),
      (failure: unknown) => {
        setState('idle')
        setError(reasonOf(failure))
      },
    )
  }

  return (
    <div className="max-w-120">
      <form noValidate onSubmit={submit} className="relative flex gap-2 max-sm:flex-col">
        <div className="flex-1">
          <label htmlFor={id} className="sr-only">
            Email
          </label>
          <Input
            id={id}
            type="email"
            size="lg"
            maxLength={emailMax}
            autoComplete="email"
            placeholder="you@dealership.com"
            aria-invalid={error !== ''}
            aria-describedby={`${id}-note`}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              setError('')
            }}
          />
        </div>
        <Honeypot value={website} onChange={setWebsite} />
        <Button type="submit" variant="primary" size="lg" busy={state === 'busy'}>
          Subscribe
        </Button>
      </form>
      <p id={`${id}-note`} role="status" className={`mt-2 min-h-5 ${error ? 'text-danger-ink' : 'text-ink-2'}`}>
        {error ||
          (state === 'asked' ? (
            <AskedNote />
          ) : (
            "We'll email you a link to confirm. You can unsubscribe with one click."
          ))}
      </p>
    </div>
  )
}

function AskedNote() {
  return (
    <span className="inline-flex items-start gap-2 text-success-ink">
      <CircleCheck size={16} className="mt-0.5" aria-hidden="true" />
      Please check your email and open the link to confirm.
    </span>
  )
}

const outcomes: Record<string, string> = {
  'newsletter-confirmed': 'You are subscribed to the newsletter.',
  'newsletter-left': 'You are no longer subscribed to the newsletter.',
  'status-confirmed': "We'll email you when a service goes down and when it is back.",
  'status-left': 'You will no longer receive emails about our services.',
  expired: 'This link was already used or has expired. Please subscribe again.',
}

/** Shows the result of an emailed link, which redirects here with `?list=`. */
export function NewsletterOutcome() {
  const [outcome, setOutcome] = useState<string>()
  useEffect(() => {
    setOutcome(outcomes[new URLSearchParams(window.location.search).get('list') ?? ''])
  }, [])
  return (
    <div role="status">
      {outcome ? (
        <p className="border-b border-accent-line bg-accent-soft px-4 py-2 text-center font-medium text-accent-ink">
          {outcome}
        </p>
      ) : null}
    </div>
  )
}
