import { landing, wireItems, testimonials } from '#client/content/landing.ts'
import { dealersClaim } from '#client/content/site.ts'
import { useDemoNetwork } from '#client/features/site/demo-network.ts'
import { Island } from '#client/features/site/island.tsx'
import { LandingFeatures } from '#client/features/site/landing-features.tsx'
import { OpenDemo } from '#client/features/site/open-demo.tsx'
import { LandingStage } from '#client/features/site/landing-stage.tsx'
import { ActivityTicker } from '#client/features/site/activity-ticker.tsx'
import { PlanCards } from '#client/features/site/plan-cards.tsx'
import { SiteFrame, siteWidth } from '#client/features/site/site-frame.tsx'
import { SiteSection } from '#client/features/site/site-section.tsx'
import { WatchDemo } from '#client/features/site/watch-demo.tsx'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { featuresOf } from '#shared/entitlements.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { Avatar } from '#client/ui/avatar.tsx'

export function LandingPage() {
  const demo = useDemoNetwork()
  return (
    <SiteFrame landing>
      {/* The server removes `hidden` while the network has no admin (server/platform/http/site-pages.ts). */}
      <div hidden data-setup="" className="border-b border-warning-line bg-warning-soft text-warning-ink">
        <p className={cx(siteWidth, 'flex flex-wrap items-center gap-x-3 gap-y-1 py-2')}>
          <span>{landing.setup}</span>
          <a href="/setup" className="font-semibold underline max-md:py-3">
            {landing.setupLink}
          </a>
        </p>
      </div>
      <Hero demo={demo} />
      <Island name="activity-ticker" Component={ActivityTicker} props={{ sample: demo ? wireItems : [] }} />
      <SiteSection title={landing.featuresTitle} lede={landing.featuresLede} id="features">
        <LandingFeatures />
      </SiteSection>
      {demo ? (
        <SiteSection title={landing.quotesTitle} raised id="testimonials">
          <Testimonials />
        </SiteSection>
      ) : null}
      {useBilling() ? (
        <SiteSection title={landing.pricingTitle} lede={landing.pricingLede} id="pricing">
          <Island name="plan-cards" Component={PlanCards} props={{ enterpriseFeatures: featuresOf('enterprise') }} />
        </SiteSection>
      ) : null}
    </SiteFrame>
  )
}

function Hero({ demo }: { demo: boolean }) {
  return (
    <section className="overflow-hidden bg-surface">
      <div
        className={cx(
          siteWidth,
          'grid items-center gap-16 py-16 max-lg:grid-cols-1 max-md:gap-8 max-md:py-8 lg:grid-cols-[minmax(0,31rem)_minmax(0,1fr)]',
        )}
      >
        <div className="space-y-6">
          <h1 className="text-xl font-semibold tracking-xl text-balance max-md:text-[2rem] max-md:leading-9">
            {landing.headline}
          </h1>
          <p className="text-md text-pretty text-ink-2">{landing.lede}</p>
          <div className="flex flex-wrap gap-3">
            {demo ? <Island name="open-demo" Component={OpenDemo} props={{}} /> : null}
            <a
              href="/login?mode=signup"
              className={buttonClass({ variant: demo ? 'secondary' : 'primary', size: 'lg' })}
            >
              Get Started
            </a>
            <Island name="watch-demo" Component={WatchDemo} props={{}} />
          </div>
          {demo ? (
            <p className="text-ink-2">
              <b className="num font-semibold text-ink">{dealersClaim}</b> {landing.dealers}
            </p>
          ) : null}
        </div>
        <LandingStage />
      </div>
    </section>
  )
}

function Testimonials() {
  return (
    <div className="grid gap-8 lg:grid-cols-3">
      {testimonials.map(({ quote, name, place }) => (
        <figure key={name} className="flex flex-col gap-4 border-t-2 border-accent pt-4">
          <blockquote className="text-md text-pretty">{quote}</blockquote>
          <figcaption className="flex items-center gap-3">
            <Avatar name={name} size={32} />
            <div>
              <p className="font-semibold">{name}</p>
              <p className="text-xs text-ink-2">{place}</p>
            </div>
          </figcaption>
        </figure>
      ))}
    </div>
  )
}
