export const contact = {
  title: 'Contact us',
  lede: 'Tell us what you need. A person reads every message, and we reply within 24 hours.',
  sent: { title: 'Message Sent', message: "We'll get back to you within 24 hours" },
  hoursTitle: 'Support hours',
  tips: [
    'For a question about a deal, name both dealerships and the vehicle.',
    'For a sign-in problem, write from the address you registered with. Never send us a password.',
    'Many answers are already in the help center.',
  ],
} as const

/** A link preselects a topic with `?topic=` in its URL. */
export const contactTopics = {
  general: { label: 'General question', hint: '' },
  sales: { label: 'Sales', hint: 'Tell us how many rooftops and how many people will use Lanewire.' },
  api: { label: 'API access', hint: 'Tell us what you want to connect, and roughly how often it will call.' },
  careers: { label: 'Careers', hint: 'Tell us which role you have in mind, what you have done, and where you are.' },
  privacy: {
    label: 'Privacy',
    hint: 'Tell us which privacy right you want to exercise: access, correction, deletion, control over contact, or opting out.',
  },
} as const
