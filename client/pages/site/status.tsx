import { pastIncidents } from '#client/content/status.ts'
import { Island } from '#client/features/site/island.tsx'
import { NewsletterForm, NewsletterOutcome } from '#client/features/site/newsletter-form.tsx'
import { formatDay } from '#client/ui/format.ts'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { StatusBoard } from '#client/features/site/status-board.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'

const incidentLabels = { resolved: 'Resolved', completed: 'Completed' } as const

export function StatusPage() {
  return (
    <SiteFrame>
      <Island name="newsletter-outcome" Component={NewsletterOutcome} props={{}} />
      <SiteHero
        title="Status"
        lede="Five services, probed every minute. Uptime is the share of good probes in the last thirty days."
      />
      <SiteSection>
        <Island name="status-board" Component={StatusBoard} props={{}} />
      </SiteSection>
      <SiteSection title="Past incidents" raised>
        <div className="grid gap-3 md:grid-cols-2">
          {pastIncidents.map((incident) => (
            <article key={incident.title} className="rounded-md border border-line p-5">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <h3 className="text-md font-semibold">{incident.title}</h3>
                <Badge tone={incident.state === 'resolved' ? 'success' : 'sold'}>
                  {incidentLabels[incident.state]}
                </Badge>
              </div>
              <p className="mt-1 text-ink-3">
                <time dateTime={incident.date}>{formatDay(incident.date)}</time>
                <DotSeparator />
                {incident.duration}
              </p>
              <p className="mt-2 text-base text-pretty text-ink-2">{incident.text}</p>
            </article>
          ))}
        </div>
      </SiteSection>
      <SiteSection title="Get notified" lede="A mail when a service goes down, and one when it is back.">
        <Island name="newsletter-form" Component={NewsletterForm} props={{ list: 'status' }} />
      </SiteSection>
    </SiteFrame>
  )
}
