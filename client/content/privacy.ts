export const privacy = {
  title: 'Privacy',
  updated: '2026-11-01',
  lede: 'What we collect, what we use it for, and what you can do about it. In plain words, because you should not need a lawyer to read it.',
} as const

export const privacySections = [
  {
    title: 'What we collect',
    intro: 'Four kinds of data, all of which you give us or create by using the product.',
    items: [
      {
        term: 'Business information',
        text: 'Dealership name and type, address, auction access number and dealership 5 million number, and whether you buy Canadian vehicles.',
      },
      { term: 'Contact information', text: 'Your name, email address and phone number.' },
      {
        term: 'Communication data',
        text: 'Messages, comments, posts and files you send, and your messages to our support team.',
      },
      {
        term: 'Usage data',
        text: 'Sign-ins with address and browser, pages and posts viewed, searches, bids, the payment provider’s reference to your card, and technical errors.',
      },
    ],
  },
  {
    title: 'What we use it for',
    intro: 'To run the network, and nothing you would not expect.',
    items: [
      { term: 'Connections', text: 'To show dealers to each other and suggest good matches.' },
      {
        term: 'Secure sharing',
        text: 'To deliver posts, messages and documents to the dealers they are meant for, and no one else.',
      },
      {
        term: 'AI deal recommendations',
        text: 'To summarize posts and compare their prices with similar vehicles in the network.',
      },
      {
        term: 'Fraud prevention',
        text: 'To detect and stop stolen accounts, fake dealers and misuse. We compare bidders with the seller and other bidders by dealership, license, address, device and payment card. A moderator reviews any matches.',
      },
    ],
  },
  {
    title: 'Your rights',
    intro: 'They apply wherever you are and are free to use.',
    items: [
      { term: 'Access', text: 'Get a copy of the data we hold about you.' },
      { term: 'Correct', text: 'Have incorrect data fixed. You can change most of it yourself under Profile Edit.' },
      {
        term: 'Delete',
        text: 'Delete your account and personal data under Settings. What others hold stays with them, shown as from a “Deleted dealer”: deals with their signed documents, messages, comments on other dealers’ posts, reviews, reports, and bids with moderators’ notes about them. Invoices stay, as the law requires.',
      },
      {
        term: 'Control contact',
        text: 'Decide whether other dealers see your phone number and email address, and which notifications we send.',
      },
      { term: 'Opt out', text: 'Unsubscribe from emails such as the newsletter at any time with one click.' },
    ],
  },
] as const

export const privacyNotes = [
  {
    title: 'Who else receives data',
    text: 'Our payment provider receives the details needed for a payment. If you sign in with Google, Google confirms your address to us. If an installation writes summaries with an external language model, that model receives the vehicle facts of a post. We do not sell personal data.',
  },
  {
    title: 'Cookies',
    text: 'One cookie keeps you signed in. Another cookie remembers that you have signed in with this browser, so that strangers who guess passwords cannot lock you out of it. Your theme, unsent drafts and anything waiting for a connection are stored in your browser. Camera images used to scan a VIN stay on your device. There are no advertising or tracking cookies, so there is no banner asking about them.',
  },
  {
    title: 'How long we keep it',
    text: "Your posts, deals and profile as long as you have an account. The same goes for messages, unless the network's operator deletes them after some time. Notifications, views, ended sessions, shared-account flags and handled contact messages are deleted after some months. After you leave, only the data listed under Delete remains, plus backups until newer ones replace them. The log of staff actions remains, without your name.",
  },
  {
    title: 'Who can see it',
    text: 'Your posts and your dealership’s name are visible to signed-in dealers of the network, not to the public. If you switch on Show my posts on the public page, visitors see the year, make, model and state of your vehicles. Contact details are not shown to other dealers unless you switch contact sharing on.',
  },
] as const
