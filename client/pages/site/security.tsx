import { security, securityItems, securityReport } from '#client/content/security.ts'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { CardGrid, InfoCard, SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { buttonClass } from '#client/ui/button.tsx'

export function SecurityPage() {
  const billing = useBilling()
  const items = securityItems.filter(({ title }) => billing || title !== 'Payment')
  return (
    <SiteFrame>
      <SiteHero title={security.title} lede={security.lede} />
      <SiteSection>
        <CardGrid columns={2}>
          {items.map(({ title, text }) => (
            <InfoCard key={title} title={title} level={2}>
              {text}
            </InfoCard>
          ))}
        </CardGrid>
      </SiteSection>
      <SiteSection title={securityReport.title} lede={securityReport.text} raised>
        <a href="/contact" className={buttonClass({ size: 'lg' })}>
          Report a problem
        </a>
      </SiteSection>
    </SiteFrame>
  )
}
