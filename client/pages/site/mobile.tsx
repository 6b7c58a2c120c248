import { mobile } from '#client/content/mobile.ts'
import { PhoneShot } from '#client/features/site/phone-shot.tsx'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { CardGrid, InfoCard, SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'

export function MobilePage() {
  return (
    <SiteFrame>
      <SiteHero title={mobile.title} lede={mobile.lede}>
        <a href="/login" className={buttonClass({ variant: 'primary', size: 'lg', className: 'mt-6' })}>
          Try on Mobile
        </a>
      </SiteHero>
      <SiteSection title="What is different on a phone">
        <CardGrid columns={2}>
          {mobile.points.map(({ title, text }) => (
            <InfoCard key={title} title={title}>
              {text}
            </InfoCard>
          ))}
        </CardGrid>
      </SiteSection>
      <SiteSection title={mobile.shotsTitle} raised>
        <div
          role="region"
          aria-label="Screenshots"
          tabIndex={0}
          className="flex gap-6 overflow-x-auto rounded-md pb-2 max-md:gap-4"
        >
          {mobile.shots.map((shot) => (
            <PhoneShot key={shot.image} {...shot} />
          ))}
        </div>
      </SiteSection>
      <SiteSection title={mobile.installTitle}>
        <ol className="max-w-170 list-decimal space-y-2 pl-5 text-md text-ink-2 marker:text-ink-3">
          {mobile.install.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </SiteSection>
      <SiteSection title={mobile.appsTitle} lede={mobile.apps} raised>
        <div className="flex flex-wrap gap-3">
          {['iOS', 'Android'].map((system) => (
            <Button key={system} size="lg" disabled>
              {system}: Coming Soon
            </Button>
          ))}
        </div>
      </SiteSection>
    </SiteFrame>
  )
}
