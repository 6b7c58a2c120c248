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
      { term: 'Contact information', text: 'Your name, e-mail address and phone number.' },
      {
        term: 'Communication data',
        text: 'Messages, comments, posts and files you send, and what you write to our support.',
      },
      {
        term: 'Usage data',
        text: 'Sign-ins with address and browser, pages and posts viewed, searches, bids, what the payment provider knows your card by, and technical errors.',
      },
    ],
  },
  {
    title: 'What we use it for',
    intro: 'For running the network, and for nothing you would not expect of it.',
    items: [
      { term: 'Connections', text: 'To show dealers to each other, and to suggest those who fit.' },
      {
        term: 'Secure sharing',
        text: 'To bring posts, messages and documents to the dealers they are meant for, and to nobody else.',
      },
      {
        term: 'AI deal recommendations',
        text: 'To summarise posts and compare their prices with similar vehicles in the network.',
      },
      {
        term: 'Fraud prevention',
        text: 'To recognise stolen accounts, false dealers and misuse, and to stop them. Who bids is compared with the seller and the other bidders by dealership, license, address, device and payment card; a moderator reads what is alike.',
      },
    ],
  },
  {
    title: 'Your rights',
    intro: 'They apply wherever you are, and using them costs nothing.',
    items: [
      { term: 'Access', text: 'Get a copy of the data we hold about you.' },
      { term: 'Correct', text: 'Have wrong data put right. Most of it you can change yourself under Profile Edit.' },
      {
        term: 'Delete',
        text: 'Have your account and personal data deleted, under Settings. What others hold stays with them, from a “Deleted dealer”: deals with their signed papers, messages, comments on posts of others, reviews, reports and bids with what moderators noted about them. Invoices stay, as the law asks.',
      },
      {
        term: 'Control contact',
        text: 'Decide whether other dealers see your phone number and e-mail address, and which notices we send.',
      },
      { term: 'Opt out', text: 'Unsubscribe from mails such as the newsletter at any time, with one click.' },
    ],
  },
] as const

export const privacyNotes = [
  {
    title: 'Who else receives data',
    text: 'Our payment provider receives what a payment needs. If you sign in with Google, Google confirms your address to us. Where an installation writes summaries with an external language model, it receives the vehicle facts of a post. We do not sell personal data.',
  },
  {
    title: 'Cookies',
    text: 'One cookie keeps you signed in. Your theme, unsent drafts, and what waits for a connection are kept in your browser. What the camera sees while it reads a VIN stays on your device. There are no advertising or tracking cookies, so there is no banner asking about them.',
  },
  {
    title: 'How long we keep it',
    text: 'Your posts, deals and profile as long as you have an account. Messages as well, unless the operator of the network has them removed after some time; notices, who viewed what, ended sessions, what bidders were found to share and answered contact messages go after some months. After you leave, only what is named under Delete stays, and what backups hold until newer ones take their place. The log of what the staff of the network did stays, without your name.',
  },
  {
    title: 'Where it can be seen',
    text: 'Your posts and your dealership’s name are visible to signed-in dealers of the network, not to the public. Only where you switch Show my posts on the public page on, visitors see year, make, model and state of your vehicles. Contact details are not shown to other dealers unless you switch contact sharing on.',
  },
] as const
