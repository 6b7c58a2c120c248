import type { ReactNode } from 'react'
import { cx } from '#client/ui/cx.ts'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import Eye from 'lucide-react/icons/eye'
import Gavel from 'lucide-react/icons/gavel'
import Minus from 'lucide-react/icons/minus'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import Users from 'lucide-react/icons/users'
import X from 'lucide-react/icons/x'
import { Avatar } from '#client/ui/avatar.tsx'
import { LiveBadge } from '#client/ui/badge.tsx'
import { buttonClass } from '#client/ui/button.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { PulsingDot } from '#client/ui/pulsing-dot.tsx'

/** Shows one part of the picture in each of the animation's three scenes (site.css). With reduced motion, shows only the first scene. */
function Scenes({ of, tinted = false }: { of: readonly [ReactNode, ReactNode, ReactNode]; tinted?: boolean }) {
  return (
    <span className={cx('inline-grid', tinted && 'stage-tint rounded-sm')}>
      {of.map((content, place) => (
        <span key={place} className="stage-scene">
          {content}
        </span>
      ))}
    </span>
  )
}

const secondsShown = 12
const firstSecond = 14

function StageClock() {
  return (
    <span className="block h-7 overflow-hidden">
      <span className="stage-clock block">
        {Array.from({ length: secondsShown }, (_, passed) => (
          <span key={passed} className="block">
            2:{String(firstSecond - passed).padStart(2, '0')}
          </span>
        ))}
      </span>
    </span>
  )
}

/** Decorative, so not focusable and hidden from screen readers. */
export function LandingStage() {
  return (
    <div className="relative">
      <div
        aria-hidden="true"
        inert
        className="relative h-128 overflow-hidden rounded-md border border-line bg-canvas max-md:h-100"
      >
        <div className="stage-lines absolute inset-0" />
        <StagePost />
        <StageChat />
        <StageAuction />
      </div>
      <PauseMotion />
    </div>
  )
}

/** The CSS reads the checkbox, so that pausing works without JavaScript. */
function PauseMotion() {
  return (
    <label
      title="Pause the animation"
      className="pause-motion absolute right-2 bottom-2 max-md:right-auto max-md:left-2 inline-flex size-10 cursor-pointer items-center justify-center rounded-md text-ink-2 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus max-md:size-11 motion-reduce:hidden"
    >
      <input
        type="checkbox"
        aria-label="Pause the animation"
        className="peer absolute inset-0 cursor-pointer opacity-0"
      />
      <Pause size={16} aria-hidden="true" className="peer-checked:hidden" />
      <Play size={16} aria-hidden="true" className="hidden peer-checked:block" />
    </label>
  )
}

function StagePost() {
  return (
    <div className="absolute top-8 left-8 w-100 rounded-md bg-surface p-4 shadow-2 max-md:top-4 max-md:right-4 max-md:left-4 max-md:w-auto">
      <div className="flex items-center gap-3">
        <Avatar name="Marcus Webb" />
        <div className="min-w-0 flex-1">
          <div className="flex items-center justify-between">
            <span className="font-semibold">Marcus Webb</span>
            <LiveBadge />
          </div>
          <p className="truncate text-xs text-ink-2">
            Webb Bros Auto Wholesale
            <DotSeparator />
            Tulsa, OK
          </p>
        </div>
      </div>
      <p className="mt-3 truncate text-md font-semibold">2021 Ford F-150 XLT SuperCrew 4x4</p>
      <img
        src="/site/f150.svg"
        alt=""
        width="368"
        height="184"
        fetchPriority="high"
        className="mt-3 h-46 w-full rounded-md object-cover object-[50%_70%] max-md:h-40"
      />
      <p className="mt-3 flex gap-4 text-ink-2 max-md:hidden">
        <StageCount icon={<Users size={16} />} count="1,204" label="connections" />
        <StageCount icon={<Eye size={16} />} count={<Scenes of={['342', '343', '343']} tinted />} label="views" />
        <StageCount icon={<Gavel size={16} />} count="1" label="auction" />
      </p>
    </div>
  )
}

function StageCount({ icon, count, label }: { icon: ReactNode; count: ReactNode; label: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      {icon}
      <b className="num font-semibold text-ink">{count}</b> {label}
    </span>
  )
}

function StageAuction() {
  return (
    <div className="stage-cut absolute top-58 right-6 w-64 rounded-md border border-live-line bg-live-soft p-3 shadow-2 max-md:top-auto max-md:right-3 max-md:bottom-3 max-md:w-60">
      <div className="flex items-center justify-between text-xs">
        <span className="inline-flex items-center gap-1 font-semibold text-live-ink">
          <PulsingDot className="size-2" />
          Live auction
        </span>
        <span className="num inline-flex items-center gap-1 text-ink-2">
          <Eye size={14} />
          <Scenes of={['43', '44', '44']} />
        </span>
      </div>
      <dl className="mt-2 grid grid-cols-2 gap-x-3">
        <div>
          <dt className="text-xs text-ink-2">Current bid</dt>
          <dd className="num text-lg font-semibold tracking-lg">
            <Scenes of={['$24,500', '$25,000', '$25,500']} tinted />
          </dd>
        </div>
        <div>
          <dt className="text-xs text-ink-2">Time left</dt>
          <dd className="num text-lg font-semibold tracking-lg">
            <StageClock />
          </dd>
        </div>
      </dl>
      <div className="my-2 h-1 overflow-hidden rounded-full bg-live-line">
        <div className="stage-meter h-full w-[38%] bg-live" />
      </div>
      <div className="mt-1 mb-2 text-xs font-semibold">
        <Scenes of={[<Winning key="first" />, <Outbid key="outbid" />, <Winning key="again" />]} />
      </div>
      <div className="num mb-2 text-xs text-ink-2">
        <Scenes of={['17 bids · next bid $25,000', '18 bids · next bid $25,500', '19 bids · next bid $26,000']} />
      </div>
      <span className={buttonClass({ variant: 'primary', block: true })}>Open live auction</span>
    </div>
  )
}

function Winning() {
  return (
    <span className="flex items-center gap-1 text-success-ink">
      <CircleCheck size={14} />
      You are winning
    </span>
  )
}

function Outbid() {
  return (
    <span className="flex items-center gap-1 text-danger-ink">
      <CircleAlert size={14} />
      You have been outbid
    </span>
  )
}

const bubble = 'max-w-53 rounded-md px-3 py-1'

function StageChat() {
  return (
    <div className="absolute bottom-0 left-8 h-36 w-64 overflow-hidden rounded-t-md bg-raised shadow-2 max-md:hidden">
      <div className="flex h-12 items-center gap-2 border-b border-line pr-2 pl-3">
        <Avatar name="Luis Herrera" size={32} online />
        <div className="min-w-0 flex-1 leading-4">
          <p className="font-semibold">Luis Herrera</p>
          <p className="text-xs text-ink-2">Herrera &amp; Sons</p>
        </div>
        <Minus size={16} />
        <X size={16} />
      </div>
      <div className="flex flex-col gap-2 p-3">
        <p className={cx(bubble, 'self-start rounded-bl-none bg-hover')}>Hold the Tacoma for me?</p>
        <p className={cx(bubble, 'stage-answer self-end rounded-br-none bg-accent-soft')}>
          Held. Driver booked for Thursday.
        </p>
      </div>
    </div>
  )
}
