import { Suspense, useEffect, useState } from 'react'
import { contact, contactTopics } from '#client/content/contact.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { useKeptForm } from '#client/lib/storage/kept-forms.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { type FieldErrors, useFormState } from '#client/ui/form-state.ts'
import { controlClass, Input } from '#client/ui/input.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { contactDealershipTypes, type ContactTopic } from '#shared/contact.ts'
import { emailMax, isEmail } from '#shared/email.ts'
import { Honeypot } from './honeypot.tsx'
import { sendContact } from './site.api.ts'

const Toaster = lazyPart(async () => (await import('#client/ui/toaster.tsx')).Toaster)

const empty = { name: '', email: '', company: '', dealershipType: '', message: '', website: '' }
type Values = typeof empty

function isTopic(value: string | null): value is ContactTopic {
  return value !== null && value in contactTopics
}

/** Returns the topic and message that a URL such as `?topic=careers&subject=Product Designer` prefills. */
function startingPoint(): { topic: ContactTopic; message: string } {
  const query = new URLSearchParams(window.location.search)
  const topic = query.get('topic')
  const subject = query.get('subject')
  return { topic: isTopic(topic) ? topic : 'general', message: subject ? `About: ${subject.slice(0, 120)}\n\n` : '' }
}

function validate({ name, email, message }: Values): FieldErrors<Values> {
  return {
    ...(name.trim() === '' && { name: 'Please enter your name' }),
    ...(!isEmail(email.trim()) && { email: 'Please enter a valid email address' }),
    ...(message.trim() === '' && { message: 'Please enter a message' }),
  }
}

function useContactForm() {
  const [topic, setTopic] = useState<ContactTopic>('general')
  const [busy, setBusy] = useState(false)
  const [answered, setAnswered] = useState(false)
  const { start: kept, keep } = useKeptForm('contact', empty)
  const form = useFormState<Values>({
    initial: empty,
    validate,
    onSubmit: send,
    keep: ({ message, ...values }) =>
      keep({ ...values, message: message === startingPoint().message ? '' : message, website: '' }),
  })
  const { setValues } = form

  // The prerendered HTML is the same for every URL, so read the URL in an effect.
  useEffect(() => {
    const start = startingPoint()
    setTopic(start.topic)
    setValues((values) => ({ ...values, ...kept, message: values.message || kept.message || start.message }))
  }, [setValues, kept])

  function send({ dealershipType, ...values }: Values) {
    setBusy(true)
    const type = contactDealershipTypes.find((known) => known === dealershipType)
    sendContact({ ...values, topic, ...(type && { dealershipType: type }) })
      .then(() => {
        form.setValues(empty)
        // Clear the stored draft as well, in case the user has left the page.
        keep(empty)
        toast({ title: contact.sent.title, description: contact.sent.message })
      })
      .catch((failure: unknown) => toastFailure('Message not sent', failure))
      .finally(() => {
        setBusy(false)
        // A public page has no error boundary, so render the toaster only after it has loaded.
        Toaster.preload().then(
          () => setAnswered(true),
          () => undefined,
        )
      })
  }

  return { form, topic, busy, answered }
}

/** Keeps the typed values until the server has accepted the message. If `toasts` is true, the form renders its own toaster. */
export function ContactForm({ toasts }: { toasts: boolean }) {
  const { form, topic, busy, answered } = useContactForm()
  return (
    <>
      <form noValidate onSubmit={form.submit} className="relative space-y-4 overflow-hidden p-1">
        {topic === 'general' ? null : <TopicNote topic={topic} />}
        <div className="grid gap-4 md:grid-cols-2">
          <Field label="Name" required error={form.errors.name}>
            <Input
              size="lg"
              autoComplete="name"
              maxLength={120}
              value={form.values.name}
              onChange={(event) => form.set('name', event.target.value)}
            />
          </Field>
          <Field label="Email" required error={form.errors.email}>
            <Input
              size="lg"
              type="email"
              autoComplete="email"
              maxLength={emailMax}
              value={form.values.email}
              onChange={(event) => form.set('email', event.target.value)}
            />
          </Field>
          <Field label="Company" optional>
            <Input
              size="lg"
              autoComplete="organization"
              maxLength={160}
              value={form.values.company}
              onChange={(event) => form.set('company', event.target.value)}
            />
          </Field>
          <DealershipTypeField
            value={form.values.dealershipType}
            onChange={(value) => form.set('dealershipType', value)}
          />
        </div>
        <Field label="Message" required error={form.errors.message}>
          <Textarea
            rows={6}
            className="min-h-40"
            maxLength={5000}
            value={form.values.message}
            onChange={(event) => form.set('message', event.target.value)}
          />
        </Field>
        <Honeypot value={form.values.website} onChange={(value) => form.set('website', value)} />
        <Button type="submit" variant="primary" size="lg" busy={busy}>
          {busy ? 'Sending...' : 'Send Message'}
        </Button>
      </form>
      <Suspense fallback={null}>{toasts && answered ? <Toaster /> : null}</Suspense>
    </>
  )
}

function TopicNote({ topic }: { topic: ContactTopic }) {
  return (
    <p className="rounded-md bg-accent-soft px-3 py-2 text-accent-ink">
      <b className="font-semibold">{contactTopics[topic].label}.</b> {contactTopics[topic].hint}
    </p>
  )
}

/** A native select, because it needs no code and works best on phones. */
function DealershipTypeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="block">
      <span className="mb-1 block font-medium">
        Dealership type <span className="font-normal text-ink-3">(optional)</span>
      </span>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${controlClass({ invalid: false, auto: false })} h-10 px-3 text-base max-md:h-11`}
      >
        <option value="">Choose one</option>
        {contactDealershipTypes.map((type) => (
          <option key={type} value={type}>
            {type.charAt(0).toUpperCase() + type.slice(1)}
          </option>
        ))}
      </select>
    </label>
  )
}
