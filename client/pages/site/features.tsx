import { featureText } from '#client/content/feature-text.ts'
import { featureGroups, features } from '#client/content/features.ts'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { CardGrid, InfoCard, SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { buttonClass } from '#client/ui/button.tsx'

export function FeaturesPage() {
  const billing = useBilling()
  return (
    <SiteFrame>
      <SiteHero title={features.title} lede={features.lede}>
        <a href="/login?mode=signup" className={buttonClass({ variant: 'primary', size: 'lg', className: 'mt-6' })}>
          Get Started
        </a>
      </SiteHero>
      {featureGroups.map((group, place) => (
        <SiteSection key={group.title} title={group.title} raised={place % 2 === 1}>
          <CardGrid columns={3}>
            {group.items.map((feature) => (
              <InfoCard key={feature.title} title={feature.title}>
                {featureText(feature, billing)}
              </InfoCard>
            ))}
          </CardGrid>
        </SiteSection>
      ))}
    </SiteFrame>
  )
}
