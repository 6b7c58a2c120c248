import Keyboard from 'lucide-react/icons/keyboard'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import type { ReactNode } from 'react'
import { useConnection } from '#client/lib/live/connection.ts'
import { useSettingsChange } from '#client/lib/session/save-settings.ts'
import { Dot } from '#client/ui/badge.tsx'
import { cx } from '#client/ui/cx.ts'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatMoney, formatNumber } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { lanePanes } from '#shared/settings.ts'
import type { LaneSettings } from '#shared/schemas/account.ts'
import type { Lane, LaneDay, LaneRow } from '#shared/schemas/lane.ts'
import { standingOf } from './row-standing.ts'

export type LaneView = 'buying' | 'selling' | 'all'

export function LaneLiveStatus() {
  const isOffline = useConnection() === 'offline'
  return (
    <span className="flex flex-none items-center gap-1 text-xs whitespace-nowrap text-ink-2">
      <Dot tone={isOffline ? 'warning' : 'ok'} />
      {isOffline ? 'Updates every 30 s' : 'Live'}
    </span>
  )
}

export function SoundButton({ settings }: { settings: LaneSettings }) {
  const { mutate } = useSettingsChange()
  return (
    <IconButton
      label={settings.sound ? 'Sound off' : 'Sound on'}
      icon={settings.sound ? <Volume2 size={18} /> : <VolumeX size={18} />}
      aria-pressed={settings.sound}
      onClick={() => mutate({ lane: { sound: !settings.sound } })}
    />
  )
}

interface LaneBarProps {
  view: LaneView
  onView: (view: LaneView) => void
  isStaff: boolean
  selling: number | undefined
  settings: LaneSettings
  positionCount: number
  onShowKeys: () => void
  children: ReactNode
}

export function LaneBar({
  view,
  onView,
  isStaff,
  selling,
  settings,
  positionCount,
  onShowKeys,
  children,
}: LaneBarProps) {
  const { mutate } = useSettingsChange()
  const views: { value: LaneView; label: string }[] = [
    { value: 'buying', label: 'Buying' },
    { value: 'selling', label: selling ? `Selling ${formatNumber(selling)}` : 'Selling' },
    ...(isStaff ? [{ value: 'all' as const, label: 'All' }] : []),
  ]
  const panes = lanePanes.map((count) => ({ value: String(count), label: String(count) }))
  return (
    <div className="flex min-h-14 flex-none flex-wrap items-center gap-x-5 gap-y-1 border-b border-line bg-surface px-4 py-1 max-md:gap-x-3">
      <h1 className="text-lg font-semibold tracking-lg">Lane</h1>
      <Segmented label="Lane shows" value={view} onChange={onView} options={views} />
      <LaneLiveStatus />
      <span className="flex-1" />
      <div className="max-md:order-last max-md:w-full">{children}</div>
      <span className="flex items-center gap-1">
        <SoundButton settings={settings} />
        <span className="contents max-md:hidden">
          <IconButton
            label="Keyboard shortcuts"
            icon={<Keyboard size={18} />}
            onClick={onShowKeys}
            className="max-md:hidden"
          />
        </span>
      </span>
      {view === 'buying' ? (
        <Segmented
          label="Places"
          value={String(positionCount)}
          onChange={(value) => {
            const count = lanePanes.find((one) => String(one) === value)
            if (count !== undefined) mutate({ lane: { panes: count } })
          }}
          options={panes}
          className="max-md:hidden"
        />
      ) : null}
    </div>
  )
}

interface LaneFigureProps {
  label: string
  tone?: string | undefined
  spare?: boolean
  children: ReactNode
}

export function LaneFigure({ label, tone, spare = false, children }: LaneFigureProps) {
  return (
    <div className={cx('flex flex-col justify-center px-4 max-xl:px-3', spare && 'max-xl:hidden')}>
      <dt className="text-xs whitespace-nowrap text-ink-2">{label}</dt>
      <dd className={cx('num font-semibold whitespace-nowrap', tone)}>{children}</dd>
    </div>
  )
}

export const LaneFigures = ({ children }: { children: ReactNode }) => (
  <dl aria-label="Today" className="flex items-stretch divide-x divide-line max-md:-ml-3">
    {children}
  </dl>
)

const countAndMoney = (count: number, amount: number) => (
  <>
    {formatNumber(count)}
    {count > 0 ? (
      <>
        <DotSeparator />
        {formatMoney(amount)}
      </>
    ) : null}
  </>
)

function bidTotals(mine: readonly LaneRow[], nowMs: number) {
  const leading = mine.filter((row) => standingOf(row, nowMs) === 'winning')
  return {
    leading: leading.length,
    amount: leading.reduce((sum, row) => sum + (row.auction.amount ?? 0), 0),
    outbid: mine.filter((row) => standingOf(row, nowMs) === 'outbid').length,
  }
}

export function BuyingFigures({
  lane,
  nowMs,
  onChangeLimit,
}: {
  lane: Lane
  nowMs: number
  onChangeLimit: () => void
}) {
  const { leading, amount, outbid } = bidTotals(lane.mine, nowMs)
  return (
    <LaneFigures>
      <LaneFigure label="Leading">{countAndMoney(leading, amount)}</LaneFigure>
      <LaneFigure label="Outbid" tone={outbid > 0 ? 'text-danger-ink' : undefined}>
        {formatNumber(outbid)}
      </LaneFigure>
      <LaneFigure label="Won today" spare>
        {countAndMoney(lane.wonToday.count, lane.wonToday.amount)}
      </LaneFigure>
      <div className="flex min-w-44 flex-col justify-center px-4 max-xl:px-3 max-md:flex-1">
        <dt className="flex justify-between gap-3 text-xs text-ink-2">
          Day limit
          <button
            type="button"
            className="rounded-sm text-accent-ink hover:underline max-md:-my-4 max-md:min-h-11 max-md:min-w-11 max-md:text-right"
            onClick={onChangeLimit}
          >
            {lane.day.limit === null ? 'Set' : 'Change'}
            <span className="sr-only"> day limit</span>
          </button>
        </dt>
        <dd className="num whitespace-nowrap">
          <DayLimit day={lane.day} />
        </dd>
      </div>
    </LaneFigures>
  )
}

/** Bar segments: auctions won today, current leading bids, and how much the dealer's hidden maximums could still add to those bids. */
function DayLimit({ day }: { day: LaneDay }) {
  if (day.limit === null) return <span className="text-ink-2">{formatMoney(day.used)} used</span>
  const share = (amount: number) => `${Math.min(100, (100 * amount) / (day.limit || 1))}%`
  const words = `${formatMoney(day.used)} of ${formatMoney(day.limit)}`
  return (
    <>
      <span>
        <b className="font-semibold">{formatMoney(day.used)}</b> of {formatMoney(day.limit)}
      </span>
      <span
        role="img"
        aria-label={`${words} used`}
        className="mt-1 flex h-1 gap-px overflow-hidden rounded-full bg-pressed"
      >
        <i className="block h-full bg-sold" style={{ width: share(day.won) }} />
        <i className="block h-full bg-accent" style={{ width: share(day.committed) }} />
        <i className="block h-full bg-accent-line" style={{ width: share(day.headroom) }} />
      </span>
    </>
  )
}
