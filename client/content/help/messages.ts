import { connectionLimitOf, nameOf, planWith } from '#shared/entitlements.ts'
import type { HelpArticle } from '../article.ts'

export const helpOnMessages: readonly HelpArticle[] = [
  {
    slug: 'message-a-dealer',
    title: 'Message a dealer',
    topic: 'Messages and network',
    summary:
      'Start a conversation from a post, a profile or the directory, and work with the three windows of the dock.',
    sections: [
      {
        paragraphs: [
          'There are several ways to start a conversation, and they all lead to the same place. Press the message button on a post card, and a chat window opens. Open a dealer’s profile from a post and write from there. In the Dealer Network, press Message in the row of a dealer. If you have talked to that dealer before, the existing conversation opens, with its history.',
        ],
      },
      {
        heading: 'The dock',
        paragraphs: [
          'The Messaging button at the bottom right shows the total of unread messages, up to 99+. It opens the list of your conversations. Pick one and it opens as a window with the last twenty messages. Three windows can be open together; a fourth takes the place of the oldest. Every window can be minimized to its header or closed.',
          'On a phone the conversation fills the screen, under Messages in the bottom bar. On any screen the Messages page shows the list and the conversation side by side, with a search by name or dealership.',
        ],
      },
      {
        heading: 'Writing',
        paragraphs: ['The text box does what you would expect, with a few details:'],
        points: [
          'Enter sends. Shift and Enter together begin a new line.',
          'A message that is empty, or only spaces, is not sent.',
          'A message may have up to 4,000 characters.',
          'What you have typed is kept as a draft for each conversation until you send it.',
        ],
      },
      {
        heading: 'Sent, waiting, failed',
        paragraphs: [
          'Your message appears at once and is marked as sending until the server has stored it. If you are offline, it waits and is sent once automatically when you are back online. If it cannot be delivered, it shows Not sent with a Retry button. Nothing is discarded unless you choose to.',
        ],
      },
      {
        heading: 'Trying it on your own',
        paragraphs: [
          'A new demo account has no conversations yet. Where the network runs in demo mode, the empty list offers Generate Demo Chats. It creates conversations with demo dealers who answer, so that you can see how the dock behaves before you write to a real person.',
          'A word on conduct: write to dealers about vehicles. Mass messages cost you the goodwill of the network faster than anything else, which is why sending is limited.',
        ],
      },
    ],
  },
  {
    slug: 'build-your-network',
    title: 'Build your dealer network',
    topic: 'Messages and network',
    summary: 'Use the directory and its filters, connect, answer requests, and see how many connections you can have.',
    sections: [
      {
        paragraphs: [
          'The Dealer Network page lists the dealers of the network. Each row shows name, type and dealership, location, the number of connections you have in common, a rating out of five, and a badge for dealers who buy Canadian vehicles. Dealers you are connected with are marked 1st.',
        ],
      },
      {
        heading: 'Filters',
        paragraphs: ['Combine the search box with any of these; the list follows as you change them:'],
        points: [
          'State or province: the fifty states and ten Canadian provinces.',
          'Dealership type: independent, wholesaler or franchise.',
          'Canadian buying: dealers who take Canadian vehicles, or those who do not.',
          'Previous Canadian vehicles: adds a Sold Canadian or Bought Canadian badge to matching dealers. It does not filter the list.',
        ],
      },
      {
        paragraphs: [
          'If no one matches, the page says No dealers found and suggests adjusting the filters. Clear the state first: it is usually the narrowest filter. One or two letters match only the start of a word; three or more match any part of it.',
        ],
      },
      {
        heading: 'Connecting',
        paragraphs: [
          'Press Connect and the dealer is added to your network; the button changes to Connected. The other dealer receives a request and can accept or decline it. Accepted connections count for both sides and are shown as 1st. Press the button again to remove the connection. You can do the same from the profile window of a post.',
          'Requests to you wait in the panel on the right of the home screen, three at a time. Look at the dealership and the connections you share before you accept, as you would with a caller you do not know.',
        ],
      },
      {
        heading: 'How many',
        billing: true,
        paragraphs: [
          `The ${nameOf('basic')} has up to ${connectionLimitOf('basic')} dealer connections. The ${planWith('unlimited connections')} has no limit. When you reach the limit, you keep your connections. When you try to add another, we tell you, and you can remove one or change your plan.`,
        ],
      },
      { heading: 'How many', paragraphs: ['There is no limit.'], billing: false },
      {
        paragraphs: [
          'A small network of dealers who answer beats a large one that does not. Connect with the people you have traded with first, then with the ones they trade with: the number of mutual connections in a row tells you who that is.',
        ],
      },
    ],
  },
  {
    slug: 'when-the-connection-drops',
    title: 'When the page says it is reconnecting',
    topic: 'Messages and network',
    summary: 'What keeps working without a live connection, what is paused, and how the page catches up.',
    sections: [
      {
        paragraphs: [
          'Lanewire keeps a live connection open while you use it. New comments, messages and bids arrive over it without reloading. Lots have thick walls and phones change networks, so that connection breaks now and then. When it does, a line appears under the top bar: Reconnecting… showing updates every 30 seconds.',
        ],
      },
      {
        heading: 'What still works',
        paragraphs: ['Losing the live connection is not the same as being offline. While the line is shown:'],
        points: [
          'The feed and your conversations are refreshed every thirty seconds.',
          'Searching, opening posts, commenting and posting work as usual as long as the network does.',
          'Messages you write are saved and each is sent once as soon as possible.',
          'What is on the screen stays on the screen.',
        ],
      },
      {
        heading: 'What is paused',
        paragraphs: [
          'Bidding. You should only bid when you can see the current price, so the bid buttons are disabled and say why. If you are leading when the connection breaks, you keep leading; your bid is stored on the server. The typing notice and the green online dots are paused too, since they would only be guesses.',
        ],
      },
      {
        heading: 'Coming back',
        paragraphs: [
          'The page reconnects automatically, quickly at first and then at longer intervals, and right away when your device comes online or you return to the tab. Once connected, it loads everything it missed, in order. You do not need to reload the page, although it does no harm.',
        ],
      },
      {
        heading: 'If the line stays',
        paragraphs: [
          'Check the status page first: it shows the state of each service from our own measurements. If everything there is operational, the cause is between you and us. Some office networks and filters block live connections altogether. Lanewire then keeps updating every thirty seconds, which is slower but complete. Ask your network administrator to allow secure WebSocket connections to our address.',
          "Without any network at all, a page you open shows a short offline notice instead of the browser's error and loads as soon as you are back online.",
        ],
      },
    ],
  },
]
