import { type ReactElement } from 'react'
import type { HelpEntry } from './help-search.tsx'
import type { MailingList } from '#shared/contact.ts'

/** How the browser makes the element of an island; each is a chunk of its own. */
export const islands: Record<string, (props: never) => Promise<ReactElement>> = {
  'watch-demo': () => import('./watch-demo.tsx').then(({ WatchDemo }) => <WatchDemo />),
  'landing-wire': () => import('./landing-wire.tsx').then(({ LandingWire }) => <LandingWire />),
  'plan-cards': () => import('./plan-cards.tsx').then(({ PlanCards }) => <PlanCards />),
  'contact-form': () => import('./contact-form.tsx').then(({ ContactForm }) => <ContactForm />),
  'list-form': (props: { list: MailingList }) =>
    import('./list-form.tsx').then(({ ListForm }) => <ListForm {...props} />),
  'list-outcome': () => import('./list-outcome.tsx').then(({ ListOutcome }) => <ListOutcome />),
  'help-search': (props: { entries: readonly HelpEntry[] }) =>
    import('./help-search.tsx').then(({ HelpSearch }) => <HelpSearch {...props} />),
  'status-board': () => import('./status-board.tsx').then(({ StatusBoard }) => <StatusBoard />),
}
