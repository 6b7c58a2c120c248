import { type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { secondsUntil, useServerTime } from '#client/lib/live/server-clock.ts'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatClock, formatMoney } from '#client/ui/format.ts'
import { Kbd } from '#client/ui/kbd.tsx'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { ArmedLine, BidSteps, PressNotice } from './bid-steps.tsx'
import { useLaneParts } from '../lane-context.ts'
import { fullAuctionPath } from './lane-position-menu.tsx'
import { isReplaceable, whyBlocked } from './lane-position-state.ts'
import { nameOfRow } from '../lists/row-standing.ts'
import { laneStore, noteKept, notePress } from '../lane.store.ts'
import { type FooterProps, lineLink, LimitLink, BidForm, MaximumForm, useIsOverLimit } from './position-forms.tsx'

export function PositionButtons(props: FooterProps) {
  const { auction, state } = props
  if (state === 'own' || (state === 'paused' && auction.you.isSeller))
    return <PositionLine>{lineTexts.own}</PositionLine>
  if (state === 'decidingOwn') return <PositionLine>{lineTexts.decidingOwn}</PositionLine>
  if (state === 'closing') return <PositionLine>{lineTexts.closing}</PositionLine>
  return isReplaceable(state) || state === 'won' || state === 'decidingMine' ? (
    <EndedFooter {...props} />
  ) : (
    <BiddingFooter {...props} />
  )
}

const lineTexts = {
  own: 'You cannot bid on your own auction. See bids with names under Selling.',
  decidingOwn: 'Accept or decline the high bid under Selling.',
  closing: 'Counting final bids…',
}

const PositionLine = ({ children }: { children: ReactNode }) => (
  <p className="flex min-h-6 items-center gap-2 text-xs text-ink-2 max-md:min-h-11">{children}</p>
)

function BiddingFooter(props: FooterProps) {
  const { auction, state, bidding, tall = false } = props
  const { settings, onChangeLimit } = useLaneParts()
  const isOver = useIsOverLimit(props)
  const opensIn = useServerTime((nowMs) => secondsUntil(auction.startsAt, nowMs))
  const words = whyBlocked(state) !== undefined && opensIn > 0 ? `Opens in ${formatClock(opensIn)}` : undefined
  return (
    <div className={cx('flex', tall ? 'flex-col-reverse' : 'flex-col')}>
      {isOver && whyBlocked(state) === undefined ? (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-1.5">
          <Button disabled className="h-11! font-semibold">
            Over your day limit
          </Button>
          <Button className="h-11!" onClick={onChangeLimit}>
            Change limit
          </Button>
        </div>
      ) : (
        <BidSteps
          auction={auction}
          bidding={bidding}
          blocked={whyBlocked(state)}
          words={words}
          hasKeys={settings.keys && !tall}
          onPress={notePress}
          tall={tall}
        />
      )}
      <div className={cx('text-xs text-ink-2', tall ? 'min-h-11 pb-1' : 'mt-1 min-h-6')}>
        <BiddingLine {...props} />
      </div>
    </div>
  )
}

function BiddingLine(props: FooterProps) {
  const { form, onForm } = props
  if (form === 'bid') return <BidForm {...props} onClose={() => onForm(undefined)} />
  if (form === 'maximum') return <MaximumForm {...props} onClose={() => onForm(undefined)} />
  return (
    <div className="flex min-h-6 items-center gap-2 max-md:min-h-11">
      <BiddingText {...props} />
    </div>
  )
}

/** Shows the line below the bid buttons. It must stay one line, so that the buttons do not move. */
function BiddingText(props: FooterProps) {
  const { bidding } = props
  if (bidding.armed) return <ArmedLine armed={bidding.armed} hasKeys={!props.tall} />
  if (bidding.notice || bidding.isUnknown)
    return (
      <>
        <PressNotice bidding={bidding} />
        <LimitLink {...props} />
      </>
    )
  return (
    <>
      <MaximumText {...props} />
      <LineLinks {...props} />
    </>
  )
}

function MaximumText({ auction, state }: FooterProps) {
  const { maximum, preset } = auction.you
  if (state === 'coming')
    return preset === null ? (
      <span className="truncate">No preset maximum</span>
    ) : (
      <OwnMaximum words="Preset maximum" amount={preset} />
    )
  if (maximum === null || maximum <= (auction.amount ?? 0)) return <span className="truncate">No maximum</span>
  return (
    <OwnMaximum words="Your maximum" amount={maximum}>
      <span className="whitespace-nowrap @max-2xl/position:hidden">only you can see it</span>
    </OwnMaximum>
  )
}

/** Shows the dealer's maximum. If space is short, truncates the words but never the amount. */
const OwnMaximum = ({ words, amount, children }: { words: string; amount: number; children?: ReactNode }) => (
  <span className="num flex min-w-0 gap-x-1">
    <span className="truncate">{words}</span> <b className="flex-none font-semibold text-ink">{formatMoney(amount)}</b>{' '}
    {children}
  </span>
)

function LineLinks({ auction, state, onForm }: FooterProps) {
  const { settings } = useLaneParts()
  const { maximum, preset } = auction.you
  const isBlocked = state === 'paused'
  const has = state === 'coming' ? preset !== null : maximum !== null && maximum > (auction.amount ?? 0)
  return (
    <span className="ml-auto flex flex-none items-center gap-3">
      {state === 'coming' ? null : (
        <button type="button" className={lineLink} disabled={isBlocked} onClick={() => onForm('bid')}>
          Other amount
        </button>
      )}
      <button type="button" className={lineLink} disabled={isBlocked} onClick={() => onForm('maximum')}>
        {has ? 'Change' : 'Set maximum'}
        <span className="sr-only">{has ? ' maximum' : ''}</span>
        {settings.keys ? (
          <span aria-hidden="true" className="max-md:hidden touch:hidden">
            <Kbd>M</Kbd>
          </span>
        ) : null}
      </button>
    </span>
  )
}

const nextStepOf = ({ postId }: LaneRow, similar: string | undefined) =>
  similar === undefined
    ? { label: 'See how it ended', path: fullAuctionPath(postId) }
    : { label: 'Similar vehicles', path: similar }

function EndedFooter({ row, state, tall = false }: FooterProps) {
  const { removeFromGrid, onMessage, onOpenDeal, offerOf, similarPath } = useLaneParts()
  const [, navigate] = useLocation()
  const isMine = state === 'won' || state === 'decidingMine'
  const high = tall ? 'h-14!' : 'h-11!'
  const nextStep = state === 'lost' ? nextStepOf(row, similarPath?.(row)) : undefined
  return (
    <>
      <div
        className={cx('grid gap-1.5', isMine ? 'grid-cols-[minmax(0,1fr)_auto_auto]' : 'auto-cols-fr grid-flow-col')}
      >
        {state === 'won' ? (
          <Button variant="primary" className={cx(high, 'font-semibold')} onClick={() => onOpenDeal(row.postId)}>
            Open deal
          </Button>
        ) : null}
        {state === 'decidingMine' ? (
          <Button
            className={cx(high, 'font-semibold')}
            onClick={() => navigate(offerOf(row.postId)?.turn === 'buyer' ? '/deals' : '/deals?stage=waiting')}
          >
            Open offer
          </Button>
        ) : null}
        {isMine ? (
          <Button className={high} onClick={() => onMessage(row.seller.id, { id: row.postId, title: row.title })}>
            Message
            <span className="sr-only"> seller</span>
          </Button>
        ) : null}
        {nextStep === undefined ? null : (
          <Button className={high} onClick={() => navigate(nextStep.path)}>
            {nextStep.label}
          </Button>
        )}
        <Button className={high} onClick={() => removeFromGrid(row.postId)}>
          Close
        </Button>
      </div>
      <div className="mt-1">
        <EndedLine row={row} state={state} />
      </div>
    </>
  )
}

function EndedLine({ row, state }: Pick<FooterProps, 'row' | 'state'>) {
  const { positions } = useLaneParts()
  const secondsLeft = laneStore.use(({ secondsUntilRefill }) => secondsUntilRefill[row.postId])
  if (state === 'won') return <PositionLine>Included in Won today</PositionLine>
  if (secondsLeft === undefined) return <PositionLine> </PositionLine>
  const clock = formatClock(secondsLeft)
  return (
    <PositionLine>
      <span className="num min-w-0 truncate">
        {positions.next ? `Next here in ${clock}: ${nameOfRow(positions.next)}` : `Closes in ${clock}`}
      </span>
      <button type="button" className={cx(lineLink, 'ml-auto')} onClick={() => noteKept(row.postId)}>
        Keep
      </button>
    </PositionLine>
  )
}
