interface PushVariables {
  PUSH?: string
  PUSH_CONTACT?: string
  PUSH_HOSTS: string
  MAIL_SUPPORT: string
}

/** Settings of web push. */
export const pushOf = ({ PUSH, PUSH_CONTACT, PUSH_HOSTS, MAIL_SUPPORT }: PushVariables) =>
  Object.freeze({
    on: PUSH !== 'off',
    /** Address at which a push service can reach the operator (RFC 8292, section 2.1). */
    contact: PUSH_CONTACT ?? `mailto:${MAIL_SUPPORT}`,
    hosts: Object.freeze(PUSH_HOSTS.split(',')),
  })
