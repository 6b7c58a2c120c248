import { careers, type JobOpening, jobOpenings } from '#client/content/careers.ts'
import { useDemoNetwork } from '#client/features/site/demo-network.ts'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { buttonClass } from '#client/ui/button.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'

const applyHref = (job: JobOpening) => `/contact?topic=careers&subject=${encodeURIComponent(job.title)}`

export function CareersPage() {
  const demo = useDemoNetwork()
  return (
    <SiteFrame>
      <SiteHero title={careers.title} lede={careers.lede} />
      {demo ? <Openings /> : null}
      <SiteSection
        title={demo ? "Don't see a fit?" : 'Work with us'}
        lede="Tell us what you do well and where you could help."
        raised={demo}
      >
        <a href="/contact?topic=careers" className={buttonClass({ size: 'lg' })}>
          Send General Application
        </a>
      </SiteSection>
    </SiteFrame>
  )
}

function Openings() {
  return (
    <SiteSection title="Open positions">
      <div className="grid gap-3 lg:grid-cols-2">
        {jobOpenings.map((job) => (
          <article key={job.slug} className="flex flex-col gap-2 rounded-md border border-line bg-surface p-5 shadow-1">
            <div className="flex flex-wrap items-start justify-between gap-2">
              <h3 className="text-md font-semibold">{job.title}</h3>
              <Badge tone="accent">{job.department}</Badge>
            </div>
            <p className="text-ink-2">
              {job.location}
              <DotSeparator />
              <span className="whitespace-nowrap">{job.type}</span>
              <DotSeparator />
              <span className="num">{job.salaryRange}</span>
            </p>
            <p className="text-base text-pretty text-ink-2">{job.description}</p>
            <div className="mt-auto pt-2">
              <a
                href={applyHref(job)}
                aria-label={`Apply: ${job.title}`}
                className={buttonClass({ variant: 'primary' })}
              >
                Apply
              </a>
            </div>
          </article>
        ))}
      </div>
    </SiteSection>
  )
}
