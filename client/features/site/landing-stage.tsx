import { CircleCheck, Eye, Gavel, Minus, Users, X } from 'lucide-react'
import { Avatar } from '#client/ui/avatar.tsx'
import { LiveBadge } from '#client/ui/badge.tsx'
import { buttonClass } from '#client/ui/button.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'

/** The product's own components as the picture beside the headline. Decorative, and out of reach of the keyboard. */
export function LandingStage() {
  return (
    <div
      aria-hidden="true"
      inert
      className="relative h-128 overflow-hidden rounded-md border border-line bg-canvas max-md:hidden"
    >
      <div className="stage-lines absolute inset-0" />
      <StagePost />
      <StageAuction />
      <StageChat />
    </div>
  )
}

function StagePost() {
  return (
    <div className="absolute top-8 left-8 w-100 rounded-md bg-surface p-4 shadow-2">
      <div className="flex items-center gap-3">
        <Avatar name="Marcus Webb" />
        <div className="min-w-0 flex-1">
          <div className="flex items-center justify-between">
            <span className="font-semibold">Marcus Webb</span>
            <LiveBadge />
          </div>
          <p className="text-xs text-ink-2">
            Webb Bros Auto Wholesale
            <DotSeparator />
            Tulsa, OK
          </p>
        </div>
      </div>
      <p className="mt-3 text-md font-semibold">2021 Ford F-150 XLT SuperCrew 4x4</p>
      <img
        src="/site/f150.svg"
        alt=""
        width="368"
        height="184"
        fetchPriority="high"
        className="mt-3 h-46 w-full rounded-md object-cover object-[50%_70%]"
      />
      <p className="mt-3 flex gap-4 text-ink-2">
        <StageCount icon={<Users size={16} />} count="1,204" label="connections" />
        <StageCount icon={<Eye size={16} />} count="342" label="views" />
        <StageCount icon={<Gavel size={16} />} count="1" label="auction" />
      </p>
    </div>
  )
}

function StageCount({ icon, count, label }: { icon: React.ReactNode; count: string; label: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      {icon}
      <b className="num font-semibold text-ink">{count}</b> {label}
    </span>
  )
}

function StageAuction() {
  return (
    <div className="absolute top-58 right-6 w-64 rounded-md border border-live-line bg-live-soft p-3 shadow-2">
      <div className="flex items-center justify-between text-xs">
        <span className="inline-flex items-center gap-1 font-semibold text-live-ink">
          <span className="size-2 animate-pulse-live rounded-full bg-current" />
          Live auction
        </span>
        <span className="num inline-flex items-center gap-1 text-ink-2">
          <Eye size={14} />
          43
        </span>
      </div>
      <dl className="mt-2 grid grid-cols-2 gap-x-3">
        <div>
          <dt className="text-xs text-ink-2">Current bid</dt>
          <dd className="num text-lg font-semibold tracking-lg">$24,500</dd>
        </div>
        <div>
          <dt className="text-xs text-ink-2">Time left</dt>
          <dd className="num text-lg font-semibold tracking-lg">2:14</dd>
        </div>
      </dl>
      <div className="my-2 h-1 overflow-hidden rounded-full bg-live-line">
        <div className="h-full w-[38%] bg-live" />
      </div>
      <p className="mt-1 mb-2 flex items-center gap-1 text-xs font-semibold text-success-ink">
        <CircleCheck size={14} />
        You are winning
      </p>
      <p className="num mb-2 text-xs text-ink-2">
        17 bids
        <DotSeparator />
        next bid $25,000
      </p>
      <span className={buttonClass({ variant: 'primary', block: true })}>Open live auction</span>
    </div>
  )
}

function StageChat() {
  return (
    <div className="absolute bottom-0 left-8 h-36 w-64 overflow-hidden rounded-t-md bg-raised shadow-2">
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
        <p className="max-w-53 self-start rounded-md rounded-bl-none bg-hover px-3 py-1">Hold the Tacoma for me?</p>
        <p className="max-w-53 self-end rounded-md rounded-br-none bg-accent-soft px-3 py-1">
          Held. Driver booked for Thursday.
        </p>
      </div>
    </div>
  )
}
