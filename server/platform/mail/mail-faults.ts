/** Messages for the operator, chosen by the error text of nodemailer, Node or OpenSSL. The first matching pattern wins. */
const sentences: [RegExp, (host: string, reason: string) => string][] = [
  [/ENOTFOUND|EAI_AGAIN|EDNS/, (host) => `No address was found for ${host}, the mail server in SMTP_URL`],
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/, (host) => `Nothing responds at ${host}, the mail server in SMTP_URL`],
  [
    /wrong version number|packet length too long|EPROTO\b/i,
    (host) => `The mail server at ${host} does not start with TLS. Use smtp:// instead of smtps:// in SMTP_URL`,
  ],
  [
    /certificate|altname/i,
    (host, reason) => `The certificate of ${host}, the mail server in SMTP_URL, is not trusted: ${reason}`,
  ],
  [
    /Greeting never received|Unexpected socket close|Connection closed unexpectedly/i,
    (host) =>
      `The mail server at ${host} does not respond. If it starts with TLS, as on port 465, use smtps:// in SMTP_URL`,
  ],
  [/ETIMEDOUT/, (host) => `The mail server at ${host}, which SMTP_URL names, did not respond in time`],
  [
    /EAUTH/,
    (host, reason) => `The mail server at ${host} rejects the user name or the password in SMTP_URL: ${reason}`,
  ],
  [/EENVELOPE/, (host, reason) => `The mail server at ${host} rejects the sender or the recipient: ${reason}`],
]

/**
 * Returns a sentence that tells the operator why an email was not sent. It never contains the password of SMTP_URL.
 * @param recipient an address that the sentence must not contain. Mail servers repeat it in their replies, and staff read the sentence.
 */
export function mailFault(error: unknown, smtpUrl: string, recipient?: string): string {
  const { message, code } = error as NodeJS.ErrnoException
  const { host } = new URL(smtpUrl)
  const reason = recipient === undefined ? message : withoutRecipient(message, recipient)
  const [, sentence] = sentences.find(([known]) => known.test(`${code} ${message}`)) ?? []
  return sentence?.(host, reason) ?? `The mail server at ${host} failed: ${reason}`
}

const withoutRecipient = (text: string, recipient: string): string =>
  text.replaceAll(new RegExp(recipient.replaceAll(/[^a-z0-9@]/gi, String.raw`\$&`), 'gi'), 'the recipient')
