import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

/** What the product has to do and once fell short of, each with the test that proves it. */
const requirements = [
  // Auctions
  {
    requirement: 'bidding opens by the switch alone',
    test: 'tests/server/auctions/auction-switch.test.ts',
    name: 'words open no bidding; the switch of the seller does',
  },
  {
    requirement: 'an edit to "No auction fees" changes only the badge',
    test: 'tests/server/auctions/auction-switch.test.ts',
    name: 'an edit to words of an auction changes the badge and nothing else',
  },
  {
    requirement: 'a running auction is ended as decided, audited, bidders told in one notice',
    test: 'tests/server/auctions/auction-switch.test.ts',
    name: 'the seller ends an auction without a bid, or with its reserve not met; bidders are told once',
  },
  {
    requirement: 'auctions that are there count as switched on',
    test: 'tests/server/auctions/auction-switch.test.ts',
    name: 'an auction that is there counts as switched on, whatever its post says by now',
  },
  {
    requirement: 'viewers are dealers who have the auction open',
    test: 'tests/live/auctions.test.ts',
    name: 'viewers are the dealers who have the auction open, live; a card in a feed is none',
  },
  {
    requirement: 'an outbid toast leads to the bid and stays until it is out of date',
    test: 'tests/client/outbid.test.tsx',
    name: 'who is outbid is led to the bid at its price, until they lead again',
  },
  {
    requirement: 'a toast never covers the bid buttons',
    test: 'tests/e2e/auctions/live-auction.test.ts',
    name: 'no toast lies over the buttons that bid, on any width',
  },
  {
    requirement: '"0 auction" only where a post speaks of one; a compact view',
    test: 'tests/client/post-card.test.tsx',
    name: 'a compact card keeps its auction; one counts auctions only where it speaks of one',
  },
  // Figures and summaries
  {
    requirement: 'views, impressions; ten dealers with the feed open raise no view',
    test: 'tests/server/posts/views.test.ts',
    name: 'ten dealers with the feed open raise no view; who opens the post does, once a day',
  },
  {
    requirement: 'comparables of the market position',
    test: 'tests/server/posts/market.test.ts',
    name: 'a market is five vehicles of three other dealers, each once, neither the author’s nor the reader’s',
  },
  {
    requirement: 'the summary says nothing that the header says',
    test: 'tests/server/posts/summary-text.test.ts',
    name: 'nothing that the header says: name, mileage, price, place',
  },
  {
    requirement: 'a range of one price is a price',
    test: 'tests/server/posts/summary-text.test.ts',
    name: 'of several vehicles a range, and one price where they all have it',
  },
  {
    requirement: 'bullets that inform',
    test: 'tests/server/posts/summary-text.test.ts',
    name: 'what matters and is missing is named',
  },
  // One model of a post
  {
    requirement: 'one model for dialog, composer and edit',
    test: 'tests/client/posting-edit.test.tsx',
    name: 'what the composer took is shown and edited: place, notes, at dealership, photos of the vehicle, facilitator',
  },
  {
    requirement: 'a facilitator of the lists, by its name, or none',
    test: 'tests/server/posts/vehicle-rules.test.ts',
    name: 'a facilitator is one of either list, or none',
  },
  {
    requirement: 'VINs, states and Canadian provinces',
    test: 'tests/server/posts/vehicle-rules.test.ts',
    name: 'a VIN is of 17 letters and digits without I, O and Q, and a state one of the list: posted or edited',
  },
  {
    requirement: 'each vehicle has its own photos',
    test: 'tests/server/posts/vehicle-rules.test.ts',
    name: 'each vehicle has its own photos, in the post, in the feed and after an edit',
  },
  {
    requirement: 'the gallery groups photos by vehicle',
    test: 'tests/client/photo-gallery.test.tsx',
    name: 'the gallery shows the post’s own photos first, then each vehicle’s below its name',
  },
  {
    requirement: 'cents show where there are cents',
    test: 'tests/client/photo-gallery.test.tsx',
    name: 'cents show where there are cents',
  },
  {
    requirement: 'the year from a VIN of an unknown make',
    test: 'tests/client/posting.test.tsx',
    name: 'the year stands in a VIN whose make nobody knows',
  },
  {
    requirement: 'photos that are links are fetched once by a job',
    test: 'tests/server/uploads/linked-photos.test.ts',
    name: 'a photo that is a link is fetched once into storage, and its site is not asked again',
  },
  {
    requirement: 'a link that leads to no photo is refused with the reason',
    test: 'tests/server/uploads/linked-photos.test.ts',
    name: 'a link that leads to no picture is taken out of the post, and its dealer reads why',
  },
  // Chats, comments, names
  {
    requirement: 'the subject of a chat hangs on the message',
    test: 'tests/server/messaging/messaging.test.ts',
    name: 'what a chat is about hangs on the message that was sent from a post; opening one changes nothing',
  },
  {
    requirement: 'no reactions to one’s own post',
    test: 'tests/server/comments/own-comments.test.ts',
    name: 'nobody reacts to their own post',
  },
  {
    requirement: 'own comments are edited for 15 minutes, marked, and deleted',
    test: 'tests/server/comments/own-comments.test.ts',
    name: 'its author changes a comment for 15 minutes and deletes it, live for everybody who watches',
  },
  {
    requirement: 'a recommended seller’s name leads to their page',
    test: 'tests/client/connect.test.tsx',
    name: 'a recommended seller leads to their page',
  },
  {
    requirement: 'a name in a deal leads to the dealer’s page',
    test: 'tests/client/deals.test.tsx',
    name: 'in ${Screen.name} the vehicle leads to the deal, and the other dealer’s name to their page',
  },
  {
    requirement: 'the popup links to the full profile',
    test: 'tests/client/connect.test.tsx',
    name: 'the popup of a dealer leads to the full profile',
  },
  // Feed, panel, search
  {
    requirement: 'items per page',
    test: 'tests/client/feed.test.tsx',
    name: '${itemsPerPage} posts show at a time where the dealer wants so many',
  },
  {
    requirement: 'auto-refresh off',
    test: 'tests/client/feed.test.tsx',
    name: 'with auto-refresh off nothing new inserts itself; the pill tells',
  },
  {
    requirement: 'every request is reachable',
    test: 'tests/client/requests.test.tsx',
    name: 'the panel has three requests and the way to the others; Deals has them all',
  },
  {
    requirement: 'below 1,024 px Deals has the requests and the lists',
    test: 'tests/e2e/feed/feed-screens.test.ts',
    name: 'where there is no right column Deals has its lists and every request',
  },
  {
    requirement: 'search knows plurals, F150, states and one wrong letter',
    test: 'tests/server/posts/posts.test.ts',
    name: 'a search finds what its help promises: plurals, models, states and one wrong letter',
  },
  // Trust
  {
    requirement: 'a license from onboarding to the queue to Verified',
    test: 'tests/server/dealers/licenses.test.ts',
    name: 'a license goes from the profile to the queue, and verified it stands on profile, directory and posts',
  },
  {
    requirement: 'a bill of sale without a license number says so to both',
    test: 'tests/server/dealers/licenses.test.ts',
    name: 'a bill of sale without a license number says so to both before they sign',
  },
  {
    requirement: 'Auction Access and 5 Mil numbers',
    test: 'tests/server/dealers/licenses.test.ts',
    name: 'Auction Access and 5 Mil numbers are for connections, admins and their dealer, who edits them',
  },
  {
    requirement: 'an odometer disclosure without mileage cannot be signed',
    test: 'tests/server/dealers/licenses.test.ts',
    name: 'an odometer disclosure without a mileage waits for the seller, who is asked for it',
  },
  {
    requirement: 'the profile gates every write',
    test: 'tests/server/onboarding/profile-required.test.ts',
    name: 'an account without a profile may read, and write nothing but what leads to one',
  },
  {
    requirement: 'the profile gates every route',
    test: 'tests/e2e/profile-required.test.ts',
    name: 'without a profile every address leads to onboarding, but help, contact, privacy and the way out',
  },
  {
    requirement: 'invited staff, by the name that the admin typed',
    test: 'tests/e2e/profile-required.test.ts',
    name: 'invited staff land on their own home, under the name that the admin typed',
  },
  // Plans
  {
    requirement: 'guards, cards, refusals and help read one table',
    test: 'tests/server/billing/entitlements.test.ts',
    name: 'price cards say what the table gives, and an admin cannot make them say otherwise',
  },
  {
    requirement: 'the add-on is for Basic, and ended pro rata',
    test: 'tests/server/billing/entitlements.test.ts',
    name: 'the add-on is refused where the plan has it, and ends with credit when such a plan begins',
  },
  {
    requirement: 'API keys and their gate',
    test: 'tests/server/billing/entitlements.test.ts',
    name: 'API keys are for Enterprise, and for whom an admin grants them',
  },
  // Admin
  {
    requirement: 'reviews are decided',
    test: 'tests/server/admin/admin.test.ts',
    name: 'a review is asked for by a party, decided by an admin, and leaves the deal where it stands',
  },
  {
    requirement: 'revenue counts who pays, gifts apart; one number of dealers',
    test: 'tests/server/admin/admin.test.ts',
    name: 'a new price is for new subscribers; revenue adds up what the others pay',
  },
  {
    requirement: 'the page of one dealer',
    test: 'tests/server/admin/dealer-file.test.ts',
    name: 'the page of a dealer has what is theirs, the newest twenty of each',
  },
  {
    requirement: 'the page of one dealer is for admins',
    test: 'tests/server/admin/dealer-file.test.ts',
    name: 'nobody but an admin sees or does anything on the page of one dealer',
  },
  {
    requirement: 'an invoice is paid back',
    test: 'tests/server/admin/dealer-file.test.ts',
    name: 'an invoice is paid back in part and whole, once for a key, and never more than was paid',
  },
  {
    requirement: 'the plan of a dealer is changed',
    test: 'tests/server/admin/dealer-file.test.ts',
    name: 'an admin changes the plan of a dealer who pays, at the price that was shown',
  },
  {
    requirement: 'a plan is given until a day',
    test: 'tests/server/admin/dealer-file.test.ts',
    name: 'a plan is given until a day, is no revenue, and ends by itself',
  },
  {
    requirement: 'notes about a dealer',
    test: 'tests/server/admin/dealer-file.test.ts',
    name: 'notes are for admins alone, and go with the account',
  },
  {
    requirement: 'the newsletter is written and sent',
    test: 'tests/server/site/newsletter.test.ts',
    name: 'an admin writes, previews and sends an issue; each subscriber gets it once, and leaves by one press',
  },
  {
    requirement: 'contact messages are answered from the screen',
    test: 'tests/server/site/contact.test.ts',
    name: 'an answer is mailed to who wrote, kept with the message, and takes it off the list',
  },
  {
    requirement: 'a second message within the hour says the minutes',
    test: 'tests/server/site/contact.test.ts',
    name: 'a sender is stored once per hour; the same text again is the same message',
  },
  // Ways in, out and around
  {
    requirement: 'log out that fails',
    test: 'tests/e2e/log-out.test.ts',
    name: 'whatever becomes of the call, the browser forgets the session at once, and the call is repeated',
  },
  {
    requirement: 'log out without a connection',
    test: 'tests/e2e/log-out.test.ts',
    name: 'without a connection the browser is out, and tells the server once it is back',
  },
  {
    requirement: 'the documented fallbacks, letter for letter',
    test: 'tests/client/error-texts.test.tsx',
    name: '${what}: "${title}" with the server\'s words, or "${otherwise}"',
  },
  {
    requirement: 'an inventory post that fails',
    test: 'tests/client/error-texts.test.tsx',
    name: 'an inventory post that is refused: "Error posting inventory" with the message of the error',
  },
  {
    requirement: 'second lines and links of /my-dealers and /discover',
    test: 'tests/e2e/network/network-screens.test.ts',
    name: 'connecting and disconnecting show the documented toasts and change the number of connections',
  },
  {
    requirement: 'help, contact, privacy and status are read signed in',
    test: 'tests/e2e/site/access.test.ts',
    name: 'help, contact, privacy and status are read inside the app, and their links stay in it',
  },
  {
    requirement: 'past incidents',
    test: 'tests/server/ops/incidents.test.ts',
    name: 'an incident is written, corrected and resolved by an admin, read by anybody, and written down',
  },
  {
    requirement: 'the public strip',
    test: 'tests/server/dealers/directory.test.ts',
    name: 'the public page names vehicles of dealers who allow it, and neither a price nor a dealer',
  },
  // The demo
  {
    requirement: 'the demo moves: a post, a message and a bid for a newcomer',
    test: 'tests/e2e/demo/director.test.ts',
    name: 'a newcomer sees a new post, a message and a bid, each as its event, and nothing while nobody watches',
  },
  {
    requirement: 'a car that was sold is never sold again',
    test: 'tests/e2e/demo/director.test.ts',
    name: 'a car that an auction has sold is never sold again: another takes its place',
  },
  {
    requirement: 'Quick Login leads into a furnished account',
    test: 'tests/e2e/demo/figures.test.ts',
    name: 'who comes by Quick Login finds a furnished account, made in one go',
  },
  {
    requirement: 'figures that appear twice are the same',
    test: 'tests/e2e/demo/figures.test.ts',
    name: 'a dealer’s figures are the same wherever they stand',
  },
  {
    requirement: 'titles, terms and clocks agree with each other',
    test: 'tests/e2e/demo/figures.test.ts',
    name: 'posts say what their vehicles, their auctions and they themselves say',
  },
  {
    requirement: 'admin queues hold cases that the audit log tells of',
    test: 'tests/e2e/demo/figures.test.ts',
    name: 'the admins’ desks hold cases, and their figures agree with them and with the audit log',
  },
]

/** A title as it is written between any quotes. */
const asWritten = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => source.includes(quote + title.replaceAll(quote, `\\${quote}`) + quote))

t.test('every requirement names a test that is there', (t) => {
  for (const { requirement, test, name } of requirements)
    t.ok(existsSync(test) && asWritten(readFileSync(test, 'utf8'), name), `${requirement}: ${name}`)
  t.equal(new Set(requirements.map(({ requirement }) => requirement)).size, requirements.length, 'each once')
  t.end()
})
