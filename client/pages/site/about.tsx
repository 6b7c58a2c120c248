import { about } from '#client/content/about.ts'
import { useDemoNetwork } from '#client/features/site/demo-network.ts'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { CardGrid, InfoCard, SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { buttonClass } from '#client/ui/button.tsx'

export function AboutPage() {
  const { canada, us } = about.credits
  const story = useDemoNetwork() ? [...about.story, about.demoSize] : about.story
  return (
    <SiteFrame>
      <SiteHero title={about.title} lede={about.lede} />
      <SiteSection>
        <div className="max-w-170 space-y-4 text-md text-pretty text-ink-2">
          {story.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </SiteSection>
      <SiteSection title={about.principlesTitle} raised>
        <CardGrid columns={2}>
          {about.principles.map(({ title, text }) => (
            <InfoCard key={title} title={title}>
              {text}
            </InfoCard>
          ))}
        </CardGrid>
      </SiteSection>
      <SiteSection title={about.creditsTitle} id="credits">
        <ul className="max-w-170 space-y-2 text-pretty text-ink-2">
          <li>
            {canada.text} <Source href={canada.href}>{canada.name}</Source>,{' '}
            <Source href={canada.licenseHref}>{canada.license}</Source>. Changed: {canada.change}.
          </li>
          <li>
            {us.text} <Source href={us.href}>{us.name}</Source>, {us.license}.
          </li>
        </ul>
      </SiteSection>
      <SiteSection>
        <p className="mb-4 text-md text-ink-2">{about.closing}</p>
        <a href="/contact" className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Contact us
        </a>
      </SiteSection>
    </SiteFrame>
  )
}

const Source = ({ href, children }: { href: string; children: string }) => (
  <a href={href} rel="noopener noreferrer" className="text-accent-ink underline">
    {children}
  </a>
)
