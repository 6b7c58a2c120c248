import Camera from 'lucide-react/icons/camera'
import { memo } from 'react'
import { cx } from '#client/ui/cx.ts'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatMileage, formatMoney, formatPlace } from '#client/ui/format.ts'
import { Picture } from '#client/ui/picture.tsx'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { RowClock } from '../lane-clock.tsx'
import { nameOfRow, shortNameOf, type Standing, standingOf } from './row-standing.ts'
import { standingLookOf } from './lane-my-bids.tsx'

export interface RunRowProps {
  row: LaneRow
  nowMs: number
  slotOf: (postId: string) => number | undefined
  focused: number | undefined
  onPin: (row: LaneRow) => void
}

export function RunRow({ row, nowMs, slotOf, focused, onPin }: RunRowProps) {
  const slot = slotOf(row.postId)
  return (
    <DrawnRow
      row={row}
      standing={standingOf(row, nowMs)}
      slot={slot}
      isOn={slot !== undefined && slot === focused}
      onPin={onPin}
    />
  )
}

interface DrawnRowProps extends Pick<RunRowProps, 'row' | 'onPin'> {
  standing: Standing
  slot: number | undefined
  isOn: boolean
}

/** Memoized, because only some of the rows change each second. */
const DrawnRow = memo(function DrawnRow({ row, standing, slot, isOn, onPin }: DrawnRowProps) {
  const { word, ink } = standingLookOf(row, standing)
  const isMine = standing !== 'open' && standing !== 'coming' && standing !== 'over'
  return (
    <button
      type="button"
      data-run-row={row.postId}
      aria-current={isOn || undefined}
      onClick={() => onPin(row)}
      title={nameOfRow(row)}
      className={cx(
        'relative grid w-full grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-x-2 border-b border-line py-1.5 pr-2 pl-2.5 text-left hover:bg-hover max-md:min-h-16 max-md:grid-cols-[4.5rem_minmax(0,1fr)_auto] max-md:gap-x-3 max-md:px-4 max-md:py-2',
        'focus-visible:-outline-offset-2 aria-current:bg-accent-soft aria-current:shadow-[inset_2px_0_0_var(--lw-accent)]',
      )}
    >
      <RowPhoto src={row.photoUrl} />
      <span className="min-w-0">
        <span className="block truncate font-medium max-md:text-base">
          {slot === undefined ? null : (
            <span className="num mr-1 inline-flex h-4 min-w-4 items-center justify-center rounded-sm bg-accent text-xs leading-4 font-semibold text-on-accent">
              <span className="sr-only">Position </span>
              {slot}
            </span>
          )}
          {shortNameOf(row)}
        </span>
        <span className="num block truncate text-xs text-ink-2">
          {isMine ? (
            <>
              <b className={cx('font-semibold', ink)}>{word}</b>
              <DotSeparator />
            </>
          ) : null}
          {isMine || row.mileage === null ? null : (
            <>
              {formatMileage(row.mileage)}
              <DotSeparator />
            </>
          )}
          {formatPlace(row)}
        </span>
      </span>
      <span className="text-right">
        <span className="num block font-semibold max-md:text-base">
          {formatMoney(row.auction.amount ?? row.auction.startAmount)}
        </span>
        <RowClock auction={row.auction} className="block text-xs text-ink-2" />
      </span>
    </button>
  )
})

export function RowPhoto({ src }: { src: string | null }) {
  const look = 'block h-8 w-12 flex-none rounded-sm bg-pressed max-md:h-12 max-md:w-18'
  if (src) return <Picture src={src} alt="" sizes="72px" className={cx(look, 'object-cover')} />
  return (
    <span aria-hidden="true" className={cx(look, 'grid! place-items-center text-ink-3')}>
      <Camera size={16} />
    </span>
  )
}
