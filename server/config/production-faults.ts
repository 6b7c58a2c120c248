import type { Static } from 'typebox'
import { isEmail } from '#shared/email.ts'
import { type Environment, readUrl } from './environment.ts'

/** The default secret for development, and the secret that older versions of compose.yaml set. */
export const developmentSecret = 'lanewire-development-secret-not-for-production'
const publishedSecrets = new Set([developmentSecret, 'change-this-secret-before-anyone-else-can-reach-it'])
/** Least number of distinct characters. A random secret of 32 characters has more of them in any encoding. */
const secretLettersMin = 8

/** Passwords from older compose.yaml files, .env.example and PostgreSQL's examples. */
const publishedPasswords = new Set(['lanewire', 'password', 'postgres', 'secret', 'changeme'])

/** Reports weak secrets. A demo may use a well-known database password. */
function secretFaults({ SESSION_SECRET: secret, DATABASE_URL, DEMO }: Static<typeof Environment>): string[] {
  const faults: string[] = []
  if (secret === undefined) faults.push('SESSION_SECRET: required in production, 32 characters or more')
  else if (publishedSecrets.has(secret))
    faults.push('SESSION_SECRET: this value is published with Lanewire; make your own with: openssl rand -base64 48')
  else if (new Set(secret).size < secretLettersMin)
    faults.push('SESSION_SECRET: too easy to guess; make one with: openssl rand -base64 48')
  const password = DATABASE_URL === undefined ? '' : (readUrl(DATABASE_URL)?.password ?? '')
  if (DEMO !== 'on' && publishedPasswords.has(password.toLowerCase()))
    faults.push(
      'DATABASE_URL: its password is published with Lanewire; change it, for example to the output of: openssl rand -hex 24',
    )
  return faults
}

const stripeKeys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const

/** Requires all of Stripe's keys or none. None is allowed only if billing is off or in a demo, which uses the payment stand-in. */
function paymentFaults(values: Static<typeof Environment>): string[] {
  if (values.BILLING === 'off') return []
  const missing = stripeKeys.filter((name) => values[name] === undefined)
  if (missing.length === stripeKeys.length)
    return values.DEMO === 'on'
      ? []
      : [`${stripeKeys.join(', ')}: required in production, unless BILLING=off or, to try it with test cards, DEMO=on`]
  return missing.map((name) => `${name}: required together with the other Stripe keys`)
}

/** Matches our example addresses. RFC 2606, section 2, reserves the domain `.example`. */
const publishedDomain = /@(?:.+\.)?lanewire\.example$/i

const addressIn = (sender: string): string => /<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender

/** Reports missing mail settings. A demo needs none, because it writes emails to files. */
function mailFaults({ SMTP_URL, MAIL_FROM, MAIL_SUPPORT, DEMO }: Static<typeof Environment>): string[] {
  if (DEMO === 'on') return []
  const faults: string[] = []
  if (SMTP_URL === undefined)
    faults.push('SMTP_URL: required in production: without it mail goes to files, which only a demo (DEMO=on) may do')
  const sender = addressIn(MAIL_FROM)
  if (!isEmail(sender)) faults.push('MAIL_FROM: must be an email address, or a name with one: Name <name@domain>')
  else if (publishedDomain.test(sender))
    faults.push(
      'MAIL_FROM: required in production: an address that your mail server may send from; lanewire.example is a placeholder',
    )
  if (publishedDomain.test(MAIL_SUPPORT))
    faults.push(
      'MAIL_SUPPORT: required in production: an address that someone reads, since contact messages go there; lanewire.example is a placeholder',
    )
  return faults
}

export function productionFaults(values: Static<typeof Environment>): string[] {
  const faults = [...secretFaults(values), ...paymentFaults(values)]
  if (values.PUBLIC_URL === undefined) faults.push('PUBLIC_URL: required in production')
  faults.push(...mailFaults(values))
  if (values.FETCH_PRIVATE_HOSTS !== undefined) faults.push('FETCH_PRIVATE_HOSTS: must not be set in production')
  if (values.RATE_LIMITS === 'off') faults.push('RATE_LIMITS: must not be off in production')
  return faults
}
