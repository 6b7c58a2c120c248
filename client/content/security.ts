/** Every item on the security page must be true of the product. */
export const security = {
  title: 'Security',
  lede: "Wholesale prices, deals and conversations are no one else's business. Here is how we keep them private.",
} as const

export const securityItems = [
  {
    title: 'Your password',
    text: 'Passwords are stored as argon2id hashes, never as text. They need at least twelve characters, and common ones are not accepted. Sign-in attempts are limited by account and by address; strangers who guess cannot lock you out of a browser you have signed in with before. A wrong password and an unknown address get the same answer.',
  },
  {
    title: 'Your second factor',
    text: 'In the settings you can add an authenticator app, passkeys or both. After that, a password or Google alone is not enough, even after a password reset by email. Each code works once, recovery codes are stored as hashes, and a passkey also works on its own. Being signed in is not enough to change the email, the password or the second factor: we ask you to confirm your identity. Networks can require a second factor for admins. Admins confirm their identity before they make somebody an admin, change another dealer’s email, reset a second factor, end sessions, or suspend or delete another admin.',
  },
  {
    title: 'Your session',
    text: 'A session is a random 256-bit value in a cookie that scripts cannot read. We store only its hash. It changes when you sign in, expires when unused, and every session can be listed and ended from the settings.',
  },
  {
    title: 'Who can see what',
    text: 'Every call is checked on the server. A deal is visible to its two parties, a conversation to its members. Data that belongs to someone else looks as if it does not exist.',
  },
  {
    title: 'Payment',
    text: 'Card details are handled by our payment provider. We do not store or log card numbers or security codes. The provider tells us only the brand, the last four digits and the expiration date, so you can recognize your card.',
  },
  {
    title: 'Files',
    text: 'Uploads are checked by content, not by name. Photos are re-encoded, and their location and camera data is removed. Nothing you upload can run as a script in another dealer’s browser.',
  },
  {
    title: 'In the browser',
    text: 'A strict content security policy allows no inline script. Requests that change something must come from our own pages, pages cannot be framed by others, and the live connection checks where it was opened from.',
  },
  {
    title: 'API keys',
    text: 'Creating a key requires your password or another proof of identity, and we email you about it. Keys are shown once and stored as a hash. They can be limited to reading, are rate-limited, show when they were last used, and stop working the moment you revoke them.',
  },
  {
    title: 'Suspension',
    text: 'When an account is suspended its sessions and live connections end at once, on every device. When a password changes, those on every other device end too.',
  },
] as const

export const securityReport = {
  title: 'Found something?',
  text: 'Write to us through the contact page with the steps to repeat it. Please do not look at other dealers’ data to prove it. We answer within 24 hours and tell you when it is fixed.',
} as const
