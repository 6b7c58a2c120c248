import { pricing, pricingQuestions } from '#client/content/pricing.ts'
import { Island } from '#client/features/site/island.tsx'
import { PlanCards } from '#client/features/site/plan-cards.tsx'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { CardGrid, InfoCard, SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { featuresOf } from '#shared/entitlements.ts'

export function PricingPage() {
  return (
    <SiteFrame>
      <SiteHero title={pricing.title} lede={pricing.lede} />
      <SiteSection title="Plans">
        <Island name="plan-cards" Component={PlanCards} props={{ enterpriseFeatures: featuresOf('enterprise') }} />
      </SiteSection>
      <SiteSection title="Questions" raised>
        <CardGrid columns={3}>
          {pricingQuestions.map(({ question, answer }) => (
            <InfoCard key={question} title={question}>
              {answer}
            </InfoCard>
          ))}
        </CardGrid>
      </SiteSection>
    </SiteFrame>
  )
}
