import { type ReactElement, StrictMode } from 'react'
import type { HelpEntry } from './help-search.tsx'
import type { MailingList } from '#shared/contact.ts'
import type { TickerLine } from '#shared/schemas/site.ts'
import { hydrateRoot } from 'react-dom/client'
import { BillingContext } from '#client/lib/session/billing-enabled.ts'

const islands: Record<string, (props: never) => Promise<ReactElement>> = {
  'watch-demo': () => import('./watch-demo.tsx').then(({ WatchDemo }) => <WatchDemo />),
  'open-demo': () => import('./open-demo.tsx').then(({ OpenDemo }) => <OpenDemo />),
  'activity-ticker': (props: { sample: readonly TickerLine[] }) =>
    import('./activity-ticker.tsx').then(({ ActivityTicker }) => <ActivityTicker {...props} />),
  'plan-cards': (props: { enterpriseFeatures: readonly string[] }) =>
    import('./plan-cards.tsx').then(({ PlanCards }) => <PlanCards {...props} />),
  'contact-form': (props: { toasts: boolean }) =>
    import('./contact-form.tsx').then(({ ContactForm }) => <ContactForm {...props} />),
  'newsletter-form': (props: { list: MailingList }) =>
    import('./newsletter-form.tsx').then(({ NewsletterForm }) => <NewsletterForm {...props} />),
  'newsletter-outcome': () => import('./newsletter-form.tsx').then(({ NewsletterOutcome }) => <NewsletterOutcome />),
  'help-search': (props: { entries: readonly HelpEntry[] }) =>
    import('./help-search.tsx').then(({ HelpSearch }) => <HelpSearch {...props} />),
  'incident-list': () => import('./incident-list.tsx').then(({ IncidentList }) => <IncidentList />),
  'status-board': (props: { demo: boolean }) =>
    import('./status-board.tsx').then(({ StatusBoard }) => <StatusBoard {...props} />),
}

export async function hydrateIslands(element: HTMLElement): Promise<void> {
  const name = element.dataset['island'] ?? ''
  const load = islands[name]
  if (!load) throw new Error(`No island is named ${name}`)
  const island = await load(JSON.parse(element.dataset['props'] ?? '{}') as never)
  const billing = document.documentElement.dataset['billing'] !== 'off'
  const root = <BillingContext value={billing}>{island}</BillingContext>
  hydrateRoot(element, <StrictMode>{root}</StrictMode>, { identifierPrefix: name })
}
