import CircleCheck from 'lucide-react/icons/circle-check'
import Sparkles from 'lucide-react/icons/sparkles'
import { type ReactNode } from 'react'
import { featureText } from '#client/content/feature-text.ts'
import { landingFeatures } from '#client/content/landing.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { cx } from '#client/ui/cx.ts'

type Art = (typeof landingFeatures)[number]['art']

export function LandingFeatures() {
  const billing = useBilling()
  return (
    <div className="grid gap-3 lg:grid-cols-6">
      {landingFeatures.map((feature, place) => (
        <article
          key={feature.title}
          className={cx(
            'flex flex-col lg:min-h-60 rounded-md border border-line bg-surface p-5 shadow-1',
            place < 2 ? 'lg:col-span-3' : 'lg:col-span-2',
          )}
        >
          <h3 className="text-md font-semibold">{feature.title}</h3>
          <p className="mt-1 text-base text-pretty text-ink-2">{featureText(feature, billing)}</p>
          <div className="mt-auto pt-4" aria-hidden="true">
            {drawings[feature.art]}
          </div>
        </article>
      ))}
    </div>
  )
}

function Rung({ step, total, primary = false }: { step: string; total: string; primary?: boolean }) {
  return (
    <div
      className={cx(
        'num relative ml-7 flex h-9 items-center justify-between rounded-md border px-4 font-semibold',
        'before:absolute before:-left-6 before:size-2 before:rounded-full before:bg-surface before:shadow-[inset_0_0_0_2px_var(--lw-control)]',
        primary ? 'border-accent bg-accent text-on-accent' : 'border-control',
      )}
    >
      <span>{step}</span>
      <span className={cx('font-medium', !primary && 'text-ink-2')}>{total}</span>
    </div>
  )
}

const ladder = (
  <div className="relative space-y-2 before:absolute before:top-4 before:bottom-4 before:left-[0.4375rem] before:border-l-2 before:border-dashed before:border-line-strong">
    <Rung step="+$1,000" total="$25,500" />
    <Rung step="+$500" total="$25,000" primary />
    <div className="num relative ml-7 flex h-9 items-center justify-between rounded-md bg-success-soft px-4 font-semibold text-success-ink before:absolute before:-left-[1.625rem] before:size-3 before:rounded-full before:bg-current">
      <span>You are winning</span>
      <span>$24,500</span>
    </div>
  </div>
)

const conversation = (
  <div className="flex flex-col gap-2">
    <p className="max-w-53 self-start rounded-md rounded-bl-none bg-hover px-3 py-1">
      Silver CR-V is still open, 34,902 miles. $22,850 with the second key.
    </p>
    <p className="max-w-53 self-end rounded-md rounded-br-none bg-accent-soft px-3 py-1">
      Send me the condition report and I will confirm within the hour.
    </p>
  </div>
)

const summary = (
  <div className="rounded-md border border-line bg-sunken px-3 pt-2 pb-3">
    <p className="flex h-5 items-center gap-2 text-xs font-semibold text-ink-2">
      <Sparkles size={14} className="text-accent-ink" />
      AI summary
    </p>
    <ul className="mt-1 list-disc space-y-1 pl-4 text-ink-2 marker:text-ink-3">
      <li>About 9,600 mi/year (average is 12,000)</li>
      <li>Seller discloses: hail</li>
    </ul>
  </div>
)

const decoded = (
  <div className="space-y-2">
    <p className="vin flex h-9 items-center justify-between rounded-md border border-control px-3">
      1FTFW1E55MFA48213
      <CircleCheck size={16} />
    </p>
    <p className="flex items-center gap-2 rounded-md bg-success-soft px-3 py-2 font-semibold text-success-ink">
      <CircleCheck size={16} />
      VIN Decoded!
    </p>
  </div>
)

const closing = (
  <div className="flex items-end justify-between gap-4">
    <div>
      <p className="font-semibold">Days to close</p>
      <p className="text-xs text-ink-2">from your own deals</p>
    </div>
    <svg viewBox="0 0 160 48" preserveAspectRatio="none" className="h-6 w-40 overflow-visible">
      <path
        d="M0 37 12 30 22 29 33 17 44 26 55 21 66 12 77 16 93 12 110 13 121 19 138 30 149 35 160 18V48H0Z"
        className="fill-accent-soft"
      />
      <path
        d="M0 37 12 30 22 29 33 17 44 26 55 21 66 12 77 16 93 12 110 13 121 19 138 30 149 35 160 18"
        fill="none"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
        className="stroke-accent"
      />
    </svg>
  </div>
)

const drawings: Record<Art, ReactNode> = {
  auction: ladder,
  messages: conversation,
  summary,
  vin: decoded,
  sale: closing,
}
