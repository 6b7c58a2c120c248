import { featuresOf, nameOf, planIds, planWith } from '#shared/entitlements.ts'
import type { HelpArticle } from '../article.ts'

export const helpOnAccount: readonly HelpArticle[] = [
  {
    slug: 'sign-in-problems',
    title: 'Solve sign-in problems',
    topic: 'Account',
    summary: 'Wrong password, forgotten password, Google sign-in, and what to do when somebody else may have been in.',
    sections: [
      {
        paragraphs: [
          'If sign-in fails, the message is Invalid email or password. It is the same whether the address is unknown or the password is wrong, so that nobody can find out from outside who has an account. Start with the simple causes: the e-mail address you registered with, the keyboard layout, and a password manager that filled in an old entry.',
        ],
      },
      {
        heading: 'Forgotten password',
        paragraphs: [
          'Ask for a reset on the sign-in screen. If the address belongs to an account, a message with a link arrives within a few minutes; look in the spam folder too. The link works once and expires, so use the newest one if you asked twice. After the change, sign in with the new password. Every device is signed out, links mailed before stop working, an address that waited for its confirmation does not wait any more, and a mail tells you that it happened. If you have API keys, they are listed right there, with one button that revokes them all.',
        ],
      },
      {
        heading: 'A second factor',
        paragraphs: [
          'In the settings, under Second factor, add an authenticator app, a passkey, or both. From then on the password or Google alone does not sign in any more, not even after the password was set anew by mail: a code of the app or the passkey is asked for as well. A passkey also signs in alone, by the button on the sign-in screen. Adding the first one signs every other device out and shows ten recovery codes, once: keep them where your phone is not. Who has lost app, passkeys and codes asks support, who makes sure who is asking before they reset them.',
        ],
      },
      {
        heading: 'Continue with Google',
        paragraphs: [
          'Google sign-in uses the verified address of your Google account. If an account with the same address already exists here, you are asked for its password once before the two are linked. If you are led back to the sign-in screen with a message, Google sign-in is not set up on this installation, and e-mail and password are the way in. A Google account that is linked is unlinked in the settings, once there is a password.',
        ],
      },
      {
        heading: 'Too many attempts',
        paragraphs: [
          'After several wrong attempts in a minute, further ones are refused for a while. Wait a minute and try again; trying faster only takes longer. The limit protects your account from guessing and applies to everybody.',
        ],
      },
      {
        heading: 'If you think somebody else signed in',
        paragraphs: ['Act in this order:'],
        points: [
          'Change the password. This ends the sessions on other devices, every link mailed before, and a change of the e-mail that somebody may have begun.',
          'Press Revoke all below it, where the API keys are shown that still work.',
          'Unlink a Google account that is not yours.',
          'Read your sent messages and recent posts for anything you did not write.',
          'Tell us through the contact page, with the date and what you saw. If a mail says that your e-mail was changed and it was not you, write at once from that address: we can give the account back.',
        ],
      },
      {
        paragraphs: [
          'We never ask for your password, by mail, by phone or in a message. A dealer who does is not from Lanewire. A suspended account cannot sign in at all; the message says so, and support can tell you why and what is needed to reinstate it. Its auctions end without a sale, and nobody buys from it or accepts its offers meanwhile. Notices are mailed to it only of its deals, its plan and the account itself.',
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
          'The settings are in two halves. One decides how Lanewire gets your attention, the other what other dealers can see of you. Changes are saved on the server, so they apply on every device you use.',
        ],
      },
      {
        heading: 'Notifications',
        paragraphs: [
          'There are switches for e-mail and push notices, and for deal and message alerts. Switch off what you do not read. A notice you ignore every time makes you miss the one that counts.',
        ],
      },
      {
        heading: 'The feed',
        paragraphs: ['Three settings change how the feed behaves for you alone:'],
        points: [
          'Auto-refresh: on, new posts show by themselves while you rest at the top of the feed. Off, they wait behind a button.',
          'Inventory view: grid, list or compact. Compact fits the most posts on a screen.',
          'Items per page: the standard, 10, 20, 50 or 100.',
        ],
      },
      {
        heading: 'What others see',
        paragraphs: ['These are enforced by the server, not merely hidden on the screen:'],
        points: [
          'Profile visibility: when it is off, you are not listed in the dealer directory. Your posts stay visible.',
          'Online status: when it is off, no dealer sees whether you are online, and you see it of nobody.',
          'Contact sharing: off to begin with. As long as it is off, other dealers do not receive your phone number and e-mail address with your profile; they can still send you a message.',
        ],
      },
      {
        heading: 'Your profile',
        paragraphs: [
          'Name, address, dealership, description and website are changed under Profile Edit. If you are verified and change your name, your dealership name or your state, Lanewire checks your license again; until then you are not shown as Verified. The picture may be JPG, PNG or GIF with up to 2 MB; the content of the file is checked. A short description with what you buy and what you sell brings better messages than a slogan.',
          'The e-mail is the one you sign in with, so saving the profile never changes it. Type the new one below, with your password, and open the link that is mailed there; until then the old one counts. From then on every other device is signed out, and the old address is told.',
        ],
      },
      {
        heading: 'Your data',
        paragraphs: [
          'You have the right to see, correct and delete what we hold about you. The privacy page says what is collected and why. For a copy or for deletion, use the settings or write to us from the contact page. A bid binds: an account that leads an auction, or sells in one that has a bid, is deleted once that is decided. Deals remain on record for the other party with the papers that were signed, because they are that dealer’s business papers too; your account is a “Deleted dealer” in them.',
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
          'Lanewire is paid by the month. You choose a plan yourself: onboarding offers Basic and Premium, the Choose Your Plan page Enterprise as well, with the prices that are valid now. Dealer groups that need something else talk to our sales team.',
        ],
      },
      {
        heading: 'Which plan',
        paragraphs: [
          'Each plan has what the smaller ones have, and more. Begin with Basic if you trade with a fixed circle, and move up when you run into a limit. You are told when that happens, and which plan lifts it.',
        ],
        points: planIds.map((id) => `${nameOf(id)}: ${featuresOf(id).join(', ')}.`),
      },
      {
        paragraphs: [
          'The Premium Add-on gives the Basic Plan the AI market position and the sales analytics of Premium. Larger plans have both, so it is not offered there; when you move up it ends, and what is left of its month is credited. A deal has a Bill of Sale when the plan of either party includes it.',
        ],
      },
      {
        heading: 'Paying',
        paragraphs: [
          'You choose a plan in the second step of onboarding, or later under Choose Your Plan. Card details go to our payment provider. We keep the brand and the last four digits so that you can recognise the card, and never the number or the security code. If your bank asks for a confirmation, a window opens for it.',
          'When a payment fails, the message from the provider is shown, for example that the card was declined. Nothing has been charged in that case. Correct the entry or use another card. Pressing the button twice does not charge you twice.',
        ],
      },
      {
        heading: 'Managing it',
        paragraphs: ['Plan management shows what you have and what you paid:'],
        points: [
          'Your current plan, its price, and the next billing date.',
          'The other plans, to change to.',
          'Your invoices.',
          'The card on file, as brand and last four digits.',
        ],
      },
      {
        paragraphs: [
          'Before you change your plan or take an add-on, you see what is charged today and per month. That price holds for ten minutes and for this one change. If it is out of date when you confirm, nothing is charged and you see the new one.',
        ],
      },
      {
        heading: 'Cancelling',
        paragraphs: [
          'Press Cancel Subscription on the Choose Your Plan page and confirm. You see Subscription Cancelled, and the plan stays usable to the end of the month you have paid for. Your account, conversations and deals are kept. Without a plan you can read and write messages. Where your network asks for a plan, you subscribe before you post inventory or bid.',
          'A new price applies to new subscriptions. If a payment for a renewal fails, you receive a message. You can still read and write messages, and everybody you are connected with stays; whatever only the plan gives waits until the open invoice is paid, with this card or another.',
        ],
      },
    ],
  },
  {
    slug: 'api-keys',
    title: 'Make and revoke API keys',
    topic: 'Account',
    summary: 'What a bearer key can do, how to make one, how to use it, and how to take it back.',
    sections: [
      {
        paragraphs: [
          'A dealer management system or your own website can read from Lanewire with an API key. The five endpoints are described on the API docs page: the list of dealers, connecting with a dealer, reading and sending messages, and your deals. Find and your buy orders are open to keys as well; signed in, you find every call described at /api/docs. A key acts for your account and sees what you see, nothing more.',
        ],
      },
      {
        heading: 'Make a key',
        paragraphs: [`API keys come with the ${planWith('apiAccess')}.`],
        billing: true,
      },
      { heading: 'Make a key', paragraphs: ['An administrator gives API access to an account.'], billing: false },
      {
        paragraphs: [
          `Without it, Request API Access in the settings or on the API docs page tells us what you want to build, and we can open it for your account. You make and revoke keys in the settings; without API access they stop working. Give each a name that says where it is used, such as "Website" or "Office import", and choose its scope:`,
        ],
        points: [
          'Read only: lists dealers, messages, deals, vehicles in Find and buy orders. Right for nearly everything.',
          'Full: can also send messages, connect with dealers and change buy orders in your name.',
        ],
      },
      {
        paragraphs: [
          'The key is shown once. Copy it into the program that needs it. We store only a fingerprint of it, so nobody, including us, can show it to you again. If you lose it, make another.',
        ],
      },
      {
        heading: 'Use it',
        paragraphs: [
          'Send the key with each request in a header named Authorization, with the word Bearer, a space, and the key. Without it, or with a key that has been revoked, the answer is 401. A read-only key that tries to change something gets 403. A key of an account that has no API access any more is refused, and the message says what lifts that. Each key may make up to 120 requests in a minute; beyond that the answer is 429, with the number of seconds to wait.',
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
          'The list in the settings shows each key with its name, scope, the beginning of the key, when it was made and when it was last used. A key that has not been used for months is best revoked. Press Revoke, or Revoke all, confirm, and the next request with it is refused. There is no way to undo this, and none is needed: a new key takes a few seconds.',
        ],
      },
    ],
  },
]
