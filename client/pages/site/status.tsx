import { useDemoNetwork } from '#client/features/site/demo-network.ts'
import { IncidentList } from '#client/features/site/incident-list.tsx'
import { Island } from '#client/features/site/island.tsx'
import { NewsletterForm, NewsletterOutcome } from '#client/features/site/newsletter-form.tsx'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { StatusBoard } from '#client/features/site/status-board.tsx'

export function StatusPage() {
  const demo = useDemoNetwork()
  return (
    <SiteFrame>
      <Island name="newsletter-outcome" Component={NewsletterOutcome} props={{}} />
      <SiteHero
        title="Status"
        lede="Five services, checked every minute. Uptime is the share of successful checks in the last 30 days."
      />
      <SiteSection>
        <Island name="status-board" Component={StatusBoard} props={{ demo }} />
      </SiteSection>
      <SiteSection title="Past incidents" raised>
        <Island name="incident-list" Component={IncidentList} props={{}} />
      </SiteSection>
      <SiteSection title="Get notified" lede="We'll email you when a service goes down and when it is back.">
        <Island name="newsletter-form" Component={NewsletterForm} props={{ list: 'status' }} />
      </SiteSection>
    </SiteFrame>
  )
}
