import { connectionLimitOf, planWith } from '#shared/entitlements.ts'

/** The plans' names and prices come from the server, and their entitlements from shared/entitlements.ts. */
export const pricing = {
  title: 'Pricing',
  lede: 'One price for each dealer, billed monthly. Change or cancel from your plan page.',
  enterprise: {
    name: 'Enterprise',
    price: 'Custom',
    unit: 'for dealer groups',
    action: 'Contact sales',
  },
} as const

export const pricingQuestions = [
  {
    question: 'Is there a contract?',
    answer:
      'No. Plans are billed by the month. When you cancel, you can use the plan until the end of the month you have paid for.',
  },
  {
    question: 'Do you take a share of a sale?',
    answer:
      'Lanewire does not. Your network may charge buyers a fee on top of the price. If so, you see the price and fee as one total before you bid, offer or buy. Payment for a vehicle goes from dealership to dealership, in whatever way you agree on.',
  },
  {
    question: `What happens at ${connectionLimitOf('basic')} connections on Basic?`,
    answer: `You keep your connections. When you try to add another, we tell you, and you can remove one or move to the ${planWith('unlimited connections')}, which has no limit.`,
  },
  {
    question: 'What happens to my card details?',
    answer:
      'They go to our payment provider. We do not store the number. We show its brand, last four digits and expiration date, so you can recognize the card.',
  },
  {
    question: 'Do you serve Canadian dealers?',
    answer:
      'Yes. Dealers in the US and in ten Canadian provinces trade on the same network, at the same prices in US dollars.',
  },
  {
    question: 'Can I change plans later?',
    answer: 'Yes, at any time from plan management. Price changes apply to new subscriptions only.',
  },
] as const
