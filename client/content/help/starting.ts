import type { HelpArticle } from '../article.ts'

export const helpOnStarting: readonly HelpArticle[] = [
  {
    slug: 'create-your-account',
    title: 'Create your account and dealer profile',
    topic: 'Getting started',
    summary: 'Sign up with an email address or Google, enter your dealership, and see why each field is needed.',
    sections: [
      {
        paragraphs: [
          'Choose Get Started on any public page. The sign-in screen opens, with two modes: login for existing accounts and sign-up for new ones. To sign up, type your email address, a password, and the same password again. Passwords need at least twelve characters; a short sentence you can remember is better than a word with a digit behind it. If the two entries differ, you see Password Mismatch and no account is created yet.',
          'If your network offers it, you can use Continue with Google instead. Google must have verified your address.',
          'We email you a link to confirm your address. Until you open it, your network may let you read and write messages but not post, bid or make offers. You can resend the email from that message or from the settings.',
        ],
      },
      {
        heading: 'Step 1: the dealer profile',
        paragraphs: [
          'After sign-up comes the dealer profile. All fields are needed, because each is used when you trade:',
        ],
        points: [
          'First and last name, email and phone. Other dealers see your name. They see your email and phone only if you turn on contact sharing in the settings. You sign in with this email. Until you confirm it, you can type another one: we send a new link, and the link sent before stops working. Afterwards, use Change beside it, which needs your password; the new address takes effect once you open the link we send.',
          'Address, city, state or province, postal code and country. United States is set by default; choose Canada for a Canadian dealership.',
          'Dealership name and type: independent, franchise or wholesaler. Other dealers filter by it.',
          'Auction access number and dealership 5 million number: they identify you as a licensed buyer.',
          'Whether you mainly sell or buy. Buyers can also say that they take Canadian vehicles.',
        ],
      },
      {
        paragraphs: [
          'If something is missing, the message names the field so you can go straight to it. Your entries are kept.',
        ],
      },
      { paragraphs: ['When the profile is saved you move on to step 2, the choice of a plan.'], billing: true },
      {
        heading: 'If you stop halfway',
        paragraphs: [
          'You can close the browser and come back later. Sign in again to continue where you left off. BACK in the profile signs you out and returns to the sign-in screen.',
        ],
      },
      { paragraphs: ['BACK in step 2, the choice of a plan, returns to the profile.'], billing: true },
      {
        paragraphs: [
          'Every detail of the profile can be changed later under Profile Edit, and the settings decide what other dealers may see. If your dealership has several people who trade, give each of them their own account rather than sharing a password. Messages, bids and deals carry the name of the person who made them, and that helps a lot when a question comes up weeks later.',
        ],
      },
    ],
  },
  {
    slug: 'find-your-way-around',
    title: 'Find your way around the home screen',
    topic: 'Getting started',
    summary: 'The three columns, the Search and Post modes, the messaging dock, and where to find them on a phone.',
    sections: [
      {
        paragraphs: [
          'After sign-in you are on the feed. It has three columns on a wide screen, and everything else in Lanewire is one click from here.',
        ],
      },
      {
        heading: 'Your first three steps',
        paragraphs: [
          'Until your first deal, a card above the feed has three steps: post one vehicle by VIN, connect with three dealers near you, and tell sellers what you buy. Each button opens the place where you do it. A finished step gets a check, and the card disappears once all three are done.',
        ],
      },
      {
        heading: 'The top bar',
        paragraphs: [
          'The links at the right lead to the feed, Find, Lane, Wanted, Deals, the network and your messages, in this order. The bell shows notifications; the menu under your picture has the rest, such as your watchlist and the settings.',
          'In the middle is a switch with two positions. With Search, the box beside it suggests vehicles, posts, dealers, deals and pages while you type. It reads phrases such as “2019-2021 F-150 under 40k” as filters of Find. On the feed, Enter searches the feed; on other pages it opens the first suggestion, and the arrow keys choose another. With Post, the box becomes the title of a new post, and the composer opens above the feed. Switch back at any time.',
        ],
      },
      {
        heading: 'The columns',
        paragraphs: ['On a desktop, the page has three columns, with the feed in the middle:'],
        points: [
          'Left: Quick Access to Wholesale News and your Dealer Profile, then Recommended Sellers, Profile Activity and Direct Sales. The three tiles of Direct Sales (Vehicles Sold, Vehicles Pending, Near Deals) open a window with the figures behind them.',
          'Center: the dealer feed with its sort buttons and search. It begins with seven posts and shows seven more as you scroll.',
          'Right: your own card, your active deals, connection requests, completed deals, and the latest wholesale news.',
        ],
      },
      {
        heading: 'The messaging dock',
        paragraphs: [
          'The Messaging button stays at the bottom right of the page. Its number is your total of unread messages. Press it for the list of conversations; press a conversation to open it as a window. Three windows can be open at the same time, and you can keep using the page behind them.',
        ],
      },
      {
        heading: 'On a phone',
        paragraphs: [
          'The same product runs in the browser of a phone. A bar at the bottom holds Feed, Network, Messages and More, and Lane while auctions run. The left column moves into the menu, and a conversation fills the screen instead of opening in a window. You can add Lanewire to the home screen from the browser’s menu, which gives it its own icon and opens it without the address bar.',
          'Two more things are worth knowing on the first day. The page follows the light or dark theme of your device. And almost everything works from the keyboard: press the Tab key once on any page, and you can skip past the navigation to the content.',
        ],
      },
    ],
  },
]
