import { privacy, privacyNotes, privacySections } from '#client/content/privacy.ts'
import { formatDay } from '#client/ui/format.ts'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { buttonClass } from '#client/ui/button.tsx'

export function PrivacyPage() {
  return (
    <SiteFrame>
      <SiteHero title={privacy.title} lede={privacy.lede}>
        <p className="mt-3 text-ink-3">Last updated {formatDay(privacy.updated)}</p>
      </SiteHero>
      <SiteSection>
        <div className="max-w-180 space-y-10">
          {privacySections.map(({ title, intro, items }) => (
            <section key={title}>
              <h2 className="text-lg font-semibold tracking-lg">{title}</h2>
              <p className="mt-1 text-md text-ink-2">{intro}</p>
              <dl className="mt-4 divide-y divide-line rounded-md border border-line bg-surface text-base">
                {items.map(({ term, text }) => (
                  <div key={term} className="gap-6 px-5 py-3 max-md:px-4 md:grid md:grid-cols-[12.5rem_1fr]">
                    <dt className="font-semibold">{term}</dt>
                    <dd className="text-ink-2">{text}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          {privacyNotes.map(({ title, text }) => (
            <section key={title}>
              <h2 className="text-md font-semibold">{title}</h2>
              <p className="mt-1 text-md text-pretty text-ink-2">{text}</p>
            </section>
          ))}
          <a href="/contact?topic=privacy" className={buttonClass({ variant: 'primary', size: 'lg' })}>
            Contact Us About Privacy
          </a>
        </div>
      </SiteSection>
    </SiteFrame>
  )
}
