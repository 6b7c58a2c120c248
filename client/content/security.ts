/** The security page. Each item must be true of the product. */
export const security = {
  title: 'Security',
  lede: 'Wholesale prices, deals and conversations are nobody else’s business. This is how we keep them that way.',
} as const

export const securityItems = [
  {
    title: 'Your password',
    text: 'Passwords are stored as argon2id hashes, never as text. They need at least twelve characters, and common ones are refused. Sign-in attempts are limited by account and by address, and a wrong password and an unknown address get the same answer.',
  },
  {
    title: 'Your second factor',
    text: 'In the settings you add an authenticator app, passkeys, or both; nobody then gets in with a password or Google alone, not even after the password was set anew by mail. Each code counts once, recovery codes are stored as hashes, and a passkey also signs in alone. Admins of a network can be required to have one.',
  },
  {
    title: 'Your session',
    text: 'A session is a random 256-bit value in a cookie that scripts cannot read. We store only its hash. It changes when you sign in, expires when unused, and every session can be listed and ended from the settings.',
  },
  {
    title: 'Who may see what',
    text: 'Every call is checked on the server. A deal is visible to its two parties, a conversation to its members. What belongs to somebody else looks exactly like something that does not exist.',
  },
  {
    title: 'Payment',
    text: 'Card details are handled by our payment provider. We do not store or log card numbers or security codes, and keep only the brand and the last four digits.',
  },
  {
    title: 'Files',
    text: 'Uploads are checked by content, not by name. Photos are re-encoded, and the place and camera data inside them is dropped. Nothing you upload can run as a script in another dealer’s browser.',
  },
  {
    title: 'In the browser',
    text: 'A strict content security policy allows no inline script. Requests that change something must come from our own pages, pages cannot be framed by others, and the live connection checks where it was opened from.',
  },
  {
    title: 'API keys',
    text: 'Keys are shown once and stored as a hash. They can be limited to reading, are rate-limited, show when they were last used, and stop working the moment you revoke them.',
  },
  {
    title: 'Suspension',
    text: 'When an account is suspended its sessions and live connections end at once, on every device. When a password changes, those of every other device do.',
  },
] as const

export const securityReport = {
  title: 'Found something?',
  text: 'Write to us through the contact page with the steps to repeat it. Please do not look at other dealers’ data to prove the point. We answer within 24 hours and tell you when it is mended.',
} as const
