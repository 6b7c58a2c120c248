import { contact } from '#client/content/contact.ts'
import { supportHours } from '#client/content/site.ts'
import { ContactForm } from '#client/features/site/contact-form.tsx'
import { Island, useIsDocument } from '#client/features/site/island.tsx'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { SiteHero, SiteSection } from '#client/features/site/site-section.tsx'

export function ContactPage() {
  const isDocument = useIsDocument()
  return (
    <SiteFrame>
      <SiteHero title={contact.title} lede={contact.lede} />
      <SiteSection>
        <div className="grid items-start gap-12 max-lg:gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="rounded-md border border-line bg-surface p-5 shadow-1 max-md:p-3">
            <Island name="contact-form" Component={ContactForm} props={{ toasts: isDocument }} />
          </div>
          <div className="space-y-6">
            <section>
              <h2 className="mb-2 text-md font-semibold">{contact.hoursTitle}</h2>
              <dl className="space-y-1 text-base">
                {supportHours.map(({ days, hours }) => (
                  <div key={days} className="flex justify-between gap-4 border-b border-line py-1">
                    <dt className="text-ink-2">{days}</dt>
                    <dd className="num">{hours}</dd>
                  </div>
                ))}
              </dl>
            </section>
            <section>
              <h2 className="mb-2 text-md font-semibold">For a quick answer</h2>
              <ul className="list-disc space-y-2 pl-5 text-base text-ink-2 marker:text-ink-3">
                {contact.tips.map((tip) => (
                  <li key={tip}>{tip}</li>
                ))}
              </ul>
              <a href="/help" className="mt-2 inline-flex min-h-11 items-center text-base text-accent-ink underline">
                Go to the help center
              </a>
            </section>
          </div>
        </div>
      </SiteSection>
    </SiteFrame>
  )
}
