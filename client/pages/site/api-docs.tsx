import { apiDocs, apiEndpoints } from '#client/content/api-docs.ts'
import { EndpointCard } from '#client/features/site/endpoint-card.tsx'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'

export function ApiDocsPage() {
  return (
    <SiteFrame>
      <SiteHero title={apiDocs.title} lede={apiDocs.lede}>
        <a href="/contact?topic=api" className={buttonClass({ variant: 'primary', size: 'lg', className: 'mt-6' })}>
          Request API Access
        </a>
      </SiteHero>
      <SiteSection title={apiDocs.keyTitle}>
        <div className="max-w-170 space-y-4 text-md text-pretty text-ink-2">
          {apiDocs.key.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <pre
          tabIndex={0}
          aria-label="Example of the Authorization header"
          className="mt-4 max-w-170 overflow-x-auto rounded-md border border-line bg-sunken px-4 py-3 font-mono text-xs"
        >
          Authorization: Bearer lw_live_…
        </pre>
        <dl className="mt-4 max-w-170 space-y-1 text-base">
          {apiDocs.limits.map(({ status, text }) => (
            <div key={status} className="flex gap-3">
              <dt className="num font-semibold">{status}</dt>
              <dd className="text-ink-2">{text}</dd>
            </div>
          ))}
        </dl>
      </SiteSection>
      <SiteSection title="Endpoints" raised>
        <div className="space-y-3">
          {apiEndpoints.map((endpoint) => (
            <EndpointCard key={`${endpoint.method} ${endpoint.path}`} endpoint={endpoint} />
          ))}
        </div>
      </SiteSection>
      <SiteSection title={apiDocs.sdkTitle} lede={apiDocs.sdkText}>
        <div className="flex flex-wrap gap-3">
          {apiDocs.sdks.map((language) => (
            <Button key={language} size="lg" disabled>
              Download {language} SDK
            </Button>
          ))}
        </div>
      </SiteSection>
    </SiteFrame>
  )
}
