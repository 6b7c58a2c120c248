import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { JobHandlers } from '#server/platform/jobs/jobs.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import { issueMailedLink } from './auth-tokens.service.ts'
import type { AccessChange, AuthJobs } from './auth.events.ts'
import { findEmailChange } from './email-change.repository.ts'

const linkMinutes = 24 * 60
const givenMinutes = 7 * 24 * 60

const ended = 'Every other browser was signed out, and links we emailed earlier no longer work.'

const notices: Record<AccessChange, { subject: string; text: string; remedy: string; path: string }> = {
  'password.reset': {
    subject: 'Your Lanewire password was reset',
    text: `Your account's password was reset using a link emailed to this address. ${ended} If the account has a second factor, it is still required to sign in.`,
    remedy:
      "If this wasn't you, someone else can read your email. Secure your email account first, then set another password:",
    path: '/reset',
  },
  'password.firstReset': {
    subject: 'Your Lanewire password was set',
    text: `Your account's password was set using a link emailed to this address. ${ended} This address had never been confirmed, so everything set up earlier was removed: authenticator app, passkeys, recovery codes, API keys and the link to Google.`,
    remedy:
      "If this wasn't you, someone else can read your email. Secure your email account first, then set another password:",
    path: '/reset',
  },
  'password.changed': {
    subject: 'Your Lanewire password was changed',
    text: `Your account's password was changed from a signed-in browser. ${ended}`,
    remedy: "If this wasn't you, set another password now, which signs them out, and check your API keys and posts:",
    path: '/reset',
  },
  'email.changed': {
    subject: 'Your Lanewire email was changed',
    text: `You can no longer sign in to your account with this address. A new address was confirmed using a link emailed to it. ${ended}`,
    remedy: "If this wasn't you, contact us right away from this address. We can restore your account:",
    path: '/contact?public',
  },
  'email.given': {
    subject: 'Your Lanewire email was changed',
    text: `You can no longer sign in to your account with this address. An admin changed it. ${ended} The account's Google sign-in, authenticator app, passkeys and API keys were removed too.`,
    remedy: "If you didn't ask for this, contact us from this address:",
    path: '/contact?public',
  },
  'factor.added': {
    subject: 'A second factor was added to your Lanewire account',
    text: 'An authenticator app or a passkey was added to your account. It can now be required at sign-in.',
    remedy: "If this wasn't you, set another password now, which signs everyone out, then remove it in your settings:",
    path: '/reset',
  },
  'factor.removed': {
    subject: 'A second factor was removed from your Lanewire account',
    text: 'An authenticator app or a passkey was removed from your account from a signed-in browser.',
    remedy: "If this wasn't you, set another password now, which signs everyone out, and set it up again:",
    path: '/reset',
  },
  'factor.reset': {
    subject: 'The second factor on your Lanewire account was reset',
    text: 'An admin removed the authenticator app, passkeys and recovery codes from your account, and every browser was signed out. Until you set them up again, you sign in with just your password.',
    remedy: "If you didn't ask for this, set another password now and contact us:",
    path: '/reset',
  },
  'recoveryCode.used': {
    subject: 'A recovery code was used on your Lanewire account',
    text: 'Someone signed in to your account with one of its recovery codes. That code no longer works.',
    remedy: "If this wasn't you, set another password now, which signs them out, and create new recovery codes:",
    path: '/reset',
  },
  'apiKey.made': {
    subject: 'An API key was created for your Lanewire account',
    text: 'Anyone with the key can act on behalf of your account until it is revoked. A new password does not revoke it.',
    remedy: "If this wasn't you, revoke the key under API keys in your settings, then set another password:",
    path: '/settings#api-keys',
  },
}

export const accountMails: JobHandlers<
  Pick<AuthJobs, 'mail.emailChange' | 'mail.accessChanged' | 'mail.addressGiven'>
> = {
  'mail.emailChange': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      const email = await findEmailChange(tx, dealerId)
      if (email === undefined) return undefined
      const token = await issueMailedLink(tx, run, 'change', { id: dealerId, email }, linkMinutes)
      if (token === undefined) return undefined
      return {
        to: email,
        subject: 'Confirm your new email for Lanewire',
        text: [
          'Confirm that this address is yours. You will then sign in with it, and every other browser will be signed out:',
          publicLink(run.config, `/verify-email#change=${token}`),
          "If you didn't ask for this, ignore this email.",
        ].join('\n\n'),
      }
    },
  },
  'mail.accessChanged': {
    queue: 'mail',
    async write(_tx, { to, what }, { config }) {
      const { subject, text, remedy, path } = notices[what]
      return { to, subject, text: [text, remedy, publicLink(config, path)].join('\n\n') }
    },
  },
  'mail.addressGiven': {
    queue: 'mail',
    async write(tx, { dealerId }, run) {
      const dealer = await findDealer(tx, dealerId)
      if (!dealer) return undefined
      const isNew = dealer.passwordHash === null
      const token = await issueMailedLink(tx, run, isNew ? 'reset' : 'verify', dealer, givenMinutes)
      if (token === undefined) return undefined
      return {
        to: dealer.email,
        subject: 'Your new email for Lanewire',
        text: [
          `An admin changed your Lanewire account's email to this address. You now sign in with it. ${
            isNew ? 'Choose your password within a week:' : 'Confirm within a week that it is yours:'
          }`,
          publicLink(run.config, isNew ? `/reset#token=${token}` : `/verify-email#token=${token}`),
        ].join('\n\n'),
      }
    },
  },
}
