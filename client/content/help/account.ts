import { featuresOf, nameOf, planIds, planWith } from '#shared/entitlements.ts'
import type { HelpArticle } from '../article.ts'

export const helpOnAccount: readonly HelpArticle[] = [
  {
    slug: 'sign-in-problems',
    title: 'Solve sign-in problems',
    topic: 'Account',
    summary: 'Wrong password, forgotten password, Google sign-in, and what to do if someone else may have signed in.',
    sections: [
      {
        paragraphs: [
          'If sign-in fails, the message is Invalid email or password. It is the same whether the address is unknown or the password is wrong, so outsiders cannot find out who has an account. Check the simple causes first: another email address than the one you registered with, the keyboard layout, or a password manager that filled in an old entry.',
        ],
      },
      {
        heading: 'Forgotten password',
        paragraphs: [
          'Ask for a reset on the sign-in screen. If the address belongs to an account, an email with a link arrives within a few minutes. Check your spam folder too. The link works once and expires, so use the newest one if you asked twice. After the change, sign in with the new password. Every device is signed out, links we emailed earlier stop working, a pending email change is cancelled, and we email you that the password was changed. If you have API keys, they are listed on the same page with a button to revoke them all. If the address was never confirmed, somebody else may have signed up with it. The reset then also removes the authenticator app, passkeys, recovery codes, API keys and the link to Google.',
        ],
      },
      {
        heading: 'A second factor',
        paragraphs: [
          'In the settings, under Second factor, add an authenticator app, a passkey, or both. From then on, you need an app code or the passkey in addition to your password or Google, even after a password reset by email. A passkey also works on its own, with the button on the sign-in screen. Adding your first second factor signs out every other device and shows ten recovery codes once. Store them away from your phone. If you lose your app, passkeys and codes, contact support. They verify who you are before they reset them.',
        ],
      },
      {
        heading: 'Continue with Google',
        paragraphs: [
          'Google sign-in uses the verified address of your Google account. If an account with the same address already exists here, you are asked for its password once before the two are linked. If the sign-in screen has no Continue with Google button, Google sign-in is not set up on this network. Use your email and password instead. You can unlink a Google account in the settings once you have a password.',
          'If your account has no password, you confirm your identity before you set one, change your email, set up a second factor, create an API key or delete the account. Use your second factor. If you have none, sign in with Google again, or open a link that we email you. Open that link in the browser where you are signed in. It works once, for 15 minutes.',
        ],
      },
      {
        heading: 'Too many attempts',
        paragraphs: [
          'After several wrong attempts in a minute, further ones are blocked for a while. Wait a minute and try again; trying faster only takes longer. The limit protects your account from guessing. Strangers who guess cannot lock you out of a browser you have signed in with before. In a new browser, wait, reset your password, or sign in with Google or a passkey.',
        ],
      },
      {
        heading: 'If you think somebody else signed in',
        paragraphs: ['Do these things in order:'],
        points: [
          'Change the password. This ends the sessions on other devices and cancels every link emailed earlier and any pending email change.',
          'Choose Revoke all below it, where your working API keys are listed.',
          'Unlink a Google account that is not yours.',
          'Read your sent messages and recent posts for anything you did not write.',
          "Tell us through the contact page, with the date and what you saw. If an email says your address was changed and it wasn't you, contact us right away from that address. We can restore your account.",
        ],
      },
      {
        paragraphs: [
          'We never ask for your password by email, by phone or in a message. Anyone who does is not from Lanewire. A suspended account cannot sign in at all; the message says so, and support can tell you why and what is needed to reinstate it. Its auctions end without a sale, and no one can buy from it or accept its offers in the meantime. We email it only about its deals, its plan and the account itself.',
        ],
      },
    ],
  },
  {
    slug: 'settings-and-privacy',
    title: 'Decide what you receive and what others see',
    topic: 'Account',
    summary: 'Every switch in the settings, what it changes for you, and what it changes for other dealers.',
    sections: [
      {
        paragraphs: [
          'The card at the top has eight switches and two lists. Change what you like and press Save; if you leave the page without saving, you are asked first. Everything else is below, in sections that open when you press them: notifications for each kind, quiet hours, Lane and bids, privacy, appearance, saved searches, security, API keys and your data. There, each change is saved right away. Settings apply on every device you use.',
        ],
      },
      {
        heading: 'Notifications',
        paragraphs: [
          'There are switches for email and push notifications, and for deal and message alerts. Switch off what you do not read. Notifications you always ignore make you miss the one that matters.',
          'Push notifications reach your phone or computer even when Lanewire is closed. Turn them on under Settings, This device, on each device where you want them. On an iPhone or iPad, add Lanewire to the home screen first. You can send a test, hide names and prices on a locked screen, and remove your other devices. Signing out ends push on that device until you sign in there again.',
          'While you use Lanewire on one device, pushes wait a minute and are sent only if something is still unread. In quiet hours nothing is sent, unless you allow outbid and won auctions.',
        ],
      },
      {
        heading: 'The feed',
        paragraphs: ['Three settings change how the feed behaves for you alone:'],
        points: [
          'Auto-refresh: when on, new posts appear automatically while you are at the top of the feed. When off, they wait behind a button.',
          'Inventory view: grid, list or compact. Compact fits the most posts on a screen.',
          'Items per page: 10, 20, 50 or 100. If you choose none, the feed begins with seven.',
        ],
      },
      {
        heading: 'What others see',
        paragraphs: ['These are enforced by the server, not merely hidden on the screen:'],
        points: [
          'Profile visibility: when it is off, you are not listed in the dealer directory. Your posts stay visible.',
          'Online status: when it is off, other dealers cannot see whether you are online, and you cannot see whether they are.',
          'Contact sharing: off by default. While it is off, your profile does not show your phone number and email address. Dealers can still message you.',
        ],
      },
      {
        heading: 'Your profile',
        paragraphs: [
          'Change your name, address, dealership, description and website under Profile Edit. If you are verified and change your name, your dealership name or your state, Lanewire checks your license again; until then your Verified badge is hidden. Your picture can be a JPG, PNG or GIF file of up to 2 MB. A short description of what you buy and sell gets better messages than a slogan.',
          'The email is the one you sign in with, so saving the profile never changes it. Enter the new one below with your password, and open the link we email to it. Without a password, you confirm with your second factor, by signing in with Google again, or with a link we email to the old address. Until you open the link, the old one stays in use. After that every other device is signed out and the old address is notified.',
        ],
      },
      {
        heading: 'Your data',
        paragraphs: [
          'You have the right to see, correct and delete what we hold about you. The privacy page says what is collected and why. For a copy or for deletion, use the settings or write to us from the contact page. Bids are binding: if your account leads an auction, or sells in one that has a bid, you can delete it once the auction is decided. Deals remain on record for the other party with the signed documents, because they are that dealer’s business records too; you appear in them as “Deleted dealer”.',
        ],
      },
    ],
  },
  {
    slug: 'plans-and-payment',
    billing: true,
    title: 'Choose, change or cancel a plan',
    topic: 'Account',
    summary: 'The difference between the plans, how payment works, and what happens when you cancel.',
    sections: [
      {
        paragraphs: [
          'You pay for Lanewire by the month. You choose a plan yourself: onboarding offers Basic and Premium, and the Choose Your Plan page also offers Enterprise, with current prices. Dealer groups that need something else talk to our sales team.',
        ],
      },
      {
        heading: 'Which plan',
        paragraphs: [
          'Each plan includes everything in the plans below it, and more. Start with Basic if you trade with a fixed circle, and move up when you reach a limit. We tell you when that happens and which plan removes it.',
        ],
        points: planIds.map((id) => `${nameOf(id)}: ${featuresOf(id).join(', ')}.`),
      },
      {
        paragraphs: [
          'The Premium Add-on gives the Basic Plan the AI market position and the sales analytics of Premium. Higher plans include both, so it is not offered there. When you move up it ends, and the unused part of its month is credited. A deal gets a Bill of Sale if either party’s plan includes it.',
        ],
      },
      {
        heading: 'Paying',
        paragraphs: [
          'You choose a plan in the second step of onboarding, or later under Choose Your Plan. Card details go to our payment provider. We never store the number or the security code. The provider gives us the brand, the last four digits and the expiration date, so you can recognize the card. If your bank asks you to confirm the payment, a window opens for it.',
          'When a payment fails, you see the provider’s message, for example that the card was declined. Nothing has been charged in that case. Correct the entry or use another card. Pressing the button twice does not charge you twice.',
        ],
      },
      {
        heading: 'Managing it',
        paragraphs: ['Plan management shows what you have and what you paid:'],
        points: [
          'Your current plan, its price, and the next billing date.',
          'The other plans, to change to.',
          'Your invoices.',
          'The card on file, with its brand, last four digits and expiration date.',
        ],
      },
      {
        paragraphs: [
          'Before you change your plan or add an add-on, you see what is charged today and each month. That price is valid for ten minutes and for that one change. If it is out of date when you confirm, nothing is charged and you see the new price.',
        ],
      },
      {
        heading: 'Cancelling',
        paragraphs: [
          'Press Cancel Subscription on the Choose Your Plan page and confirm. You see Subscription Cancelled, and the plan stays active until the end of the month you paid for. You keep your account, conversations and deals. Without a plan you can read and write messages. If your network requires a plan, you need to subscribe before you post inventory or bid.',
          'A new price applies to new subscriptions. If a renewal payment fails, we notify you. You can still read and write messages and you keep your connections. Features that need the plan are paused until the open invoice is paid with this card or another.',
        ],
      },
    ],
  },
  {
    slug: 'api-keys',
    title: 'Make and revoke API keys',
    topic: 'Account',
    summary: 'What a bearer key can do, and how to create, use and revoke one.',
    sections: [
      {
        paragraphs: [
          'A dealer management system or your own website can read from Lanewire with an API key. The five endpoints are described on the API docs page: the list of dealers, connecting with a dealer, reading and sending messages, and your deals. Find and your buy orders are open to keys as well; signed in, you find every call described at /api/docs. A key acts for your account and sees what you see, nothing more.',
        ],
      },
      {
        heading: 'Create a key',
        paragraphs: [`API keys come with the ${planWith('apiAccess')}.`],
        billing: true,
      },
      { heading: 'Create a key', paragraphs: ['An admin grants an account API access.'], billing: false },
      {
        paragraphs: [
          `Otherwise, use Request API Access in the settings or on the API docs page to tell us what you want to build, and we can enable it for your account. Create and revoke keys in the settings. They stop working if you lose API access. Give each key a name that says where it is used, such as "Website" or "Office import", and choose its scope:`,
        ],
        points: [
          'Read only: lists dealers, messages, deals, vehicles in Find and buy orders. Enough for nearly everything.',
          'Full: can also send messages, connect with dealers and change buy orders in your name.',
        ],
      },
      {
        paragraphs: [
          'Creating a key requires your password. Without a password, you confirm with your second factor, by signing in with Google again, or with a link we email you. We email you that a key was created. The key is shown once. Copy it into the program that needs it. We store only a fingerprint of it, so no one, including us, can show it to you again. If you lose it, create another.',
        ],
      },
      {
        heading: 'Use it',
        paragraphs: [
          'Send the key with each request in a header named Authorization, with the word Bearer, a space, and the key. Without it, or with a key that has been revoked, the answer is 401. A read-only key that tries to change something gets 403. A key whose account no longer has API access is rejected, and the message says how to restore access. Each key may make up to 120 requests in a minute; beyond that the answer is 429, with the number of seconds to wait.',
        ],
      },
      {
        heading: 'Keep it safe',
        paragraphs: [
          'A key is a password for programs. Do not put it into a web page or a phone app, where anybody can read it; keep it on a server. Use one key for each program, so that one can be revoked without stopping the others.',
        ],
      },
      {
        heading: 'Revoke it',
        paragraphs: [
          'The list in the settings shows each key with its name, scope, the beginning of the key, when it was created and when it was last used. Revoke keys that have not been used for months. Press Revoke, or Revoke all, confirm, and the next request with it is rejected. This cannot be undone, but a new key takes only a few seconds to create.',
        ],
      },
    ],
  },
]
