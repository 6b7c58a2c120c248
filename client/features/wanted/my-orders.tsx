import { useQuery } from '@tanstack/react-query'
import Car from 'lucide-react/icons/car'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pause from 'lucide-react/icons/pause'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Search from 'lucide-react/icons/search'
import Square from 'lucide-react/icons/square'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { choosePlan } from '#client/lib/session/plan-refusal.ts'
import { useServerTime } from '#client/lib/live/server-clock.ts'
import { clockMs } from '#client/lib/live/shared-clocks.ts'
import { Badge } from '#client/ui/badge.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { cx } from '#client/ui/cx.ts'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Figures } from '#client/ui/figures.tsx'
import { formatDuration, formatMoney, formatNumber } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { useFocusInPlace } from '#client/ui/list-focus.ts'
import { Menu, MenuItem, MenuLink } from '#client/ui/menu.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { buyOrdersMax } from '#shared/constants/wanted.ts'
import type { BuyOrder, BuyOrders } from '#shared/schemas/wanted.ts'
import { findPath, isRenewable, orderTerms, orderTitle, isPausedForPlan, stateTexts } from './order-labels.ts'
import { buyOrdersQuery, useActOnOrder } from './wanted.api.ts'

const row = 'grid items-center gap-x-4 md:grid-cols-[minmax(0,1fr)_6.5rem_7.5rem_7rem_9.25rem_2.25rem] md:pr-2 md:pl-4'

export function OrderTotals() {
  const { data } = useQuery(buyOrdersQuery())
  const due = data?.totals.nextAnswerAt ?? null
  const left = useServerTime((nowMs) => timeLeftUntil(due, nowMs), {
    running: due !== null,
    everyMs: clockMs.second,
  })
  if (!data || data.orders.length === 0) return null
  return <Figures label="Buy order totals" figures={figuresOf(data.totals, left)} />
}

/** Returns the time left, such as `3 h 20 min`, or an empty string if none is left. */
function timeLeftUntil(due: string | null, nowMs: number): string {
  const leftMs = due === null ? 0 : Date.parse(due) - nowMs
  return leftMs > 0 ? formatDuration(leftMs) : ''
}

function figuresOf(totals: BuyOrders['totals'], left: string) {
  const { active, matchesToday, newMatches, offers, bought, perMonth } = totals
  return [
    { label: 'Active orders', value: formatNumber(active), unit: `of ${buyOrdersMax}` },
    { label: 'Matches today', value: formatNumber(matchesToday), unit: `${formatNumber(newMatches)} new` },
    {
      label: 'Offers waiting',
      value: formatNumber(offers),
      ...(left !== '' && { unit: `next answer due in ${left}` }),
    },
    { label: 'Bought this month', value: formatNumber(bought), unit: `of ${formatNumber(perMonth)}` },
  ]
}

interface MyOrdersProps {
  onNew: () => void
  onEdit: (order: BuyOrder) => void
}

export function MyOrders({ onNew, onEdit }: MyOrdersProps) {
  const orders = useQuery(buyOrdersQuery())
  const list = orders.data?.orders
  return (
    <Card aria-labelledby="my-orders" className="overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pr-4 pb-2">
        <CardHeader id="my-orders" title="My buy orders" />
        <p className="text-xs text-ink-2 max-md:px-4">Your name stays hidden until an offer is made</p>
      </div>
      <QueryState query={orders} failure="Your buy orders could not be loaded" label="Loading buy orders">
        <div className="divide-y divide-line border-t border-line md:pt-8">
          <SkeletonRows rows={4} className="h-20 px-4" lead="hidden" />
        </div>
      </QueryState>
      {list?.length === 0 ? (
        <EmptyState
          icon={<Car size={24} />}
          title="No buy orders yet"
          hint="Tell us what you're buying and your price. We'll notify you seconds after one is posted."
          action={
            <Button variant="primary" onClick={onNew}>
              New buy order
            </Button>
          }
        />
      ) : null}
      {list && list.length > 0 ? (
        <>
          <div
            aria-hidden="true"
            className={cx(row, 'h-8 border-y border-line bg-sunken text-xs font-medium text-ink-2 max-md:hidden')}
          >
            <span>Vehicle and terms</span>
            <span className="text-right">You pay</span>
            <span>This month</span>
            <span>Matches</span>
            <span>Status</span>
          </div>
          <ul className="divide-y divide-line max-md:border-t max-md:border-line">
            {list.map((order) => (
              <OrderRow key={order.id} order={order} onEdit={onEdit} />
            ))}
          </ul>
        </>
      ) : null}
    </Card>
  )
}

function OrderRow({ order, onEdit }: { order: BuyOrder; onEdit: (order: BuyOrder) => void }) {
  const title = orderTitle(order)
  const { state, price, isLow } = order
  const isQuiet = state === 'paused' || state === 'ended'
  return (
    <li
      className={cx(
        row,
        'relative min-h-20 gap-y-2 py-2.5 hover:bg-hover max-md:grid-cols-[minmax(0,1fr)_auto] max-md:px-4 max-md:py-3',
      )}
    >
      <div className="min-w-0 max-md:col-span-2 max-md:pr-11">
        <h3 className={cx('text-base font-semibold', isQuiet && 'text-ink-2')}>{title}</h3>
        <Terms terms={orderTerms(order)} />
        {isLow ? <p className="text-xs text-warning-ink">Less than 40% of the median asking price</p> : null}
      </div>
      <div className="num md:text-right">
        <p className={cx('text-md font-semibold', isQuiet && 'text-ink-2')}>{formatMoney(price)}</p>
        <p className="text-xs text-ink-2">per vehicle</p>
      </div>
      <Bought order={order} />
      <Matches order={order} />
      <OrderState order={order} title={title} />
      <OrderMenu order={order} title={title} onEdit={onEdit} />
    </li>
  )
}

function Terms({ terms }: { terms: readonly string[] }) {
  return (
    <p className="num text-xs text-pretty text-ink-2">
      {terms.map((term, index) => (
        <span key={term}>
          {index > 0 ? <DotSeparator /> : null}
          {term}
        </span>
      ))}
    </p>
  )
}

function Bought({ order: { bought, perMonth } }: { order: BuyOrder }) {
  const share = `${Math.min(1, bought / perMonth) * 100}%`
  return (
    <div className="max-md:w-30 max-md:justify-self-end">
      <p className="num max-md:text-right">
        <b className="font-semibold">{bought}</b> of {perMonth} bought
      </p>
      <div aria-hidden="true" className="mt-1.5 h-1 overflow-hidden rounded-full bg-pressed">
        <div className="h-full bg-accent" style={{ width: share }} />
      </div>
    </div>
  )
}

function Matches({ order }: { order: BuyOrder }) {
  return (
    <div className="num text-xs">
      {order.newMatches > 0 ? (
        <Badge tone="accent">{formatNumber(order.newMatches)} new</Badge>
      ) : (
        <span className="text-ink-3">None new</span>
      )}
      <p className="text-ink-2">
        <Link href={findPath(order)} className="rounded-sm hover:underline max-md:inline-block max-md:py-3.5">
          {formatNumber(order.onOffer)} for sale now
        </Link>
      </p>
    </div>
  )
}

function OrderState({ order, title }: { order: BuyOrder; title: string }) {
  const act = useActOnOrder()
  const box = useRef<HTMLDivElement>(null)
  const focus = useFocusInPlace(box)
  const { label, detail } = stateTexts(order)
  const { id, state } = order
  const isUnanswered = state === 'paused' && order.pauseReason === 'unanswered'
  const perform = (name: 'renew' | 'resume' | 'pause') => act.mutate({ id, act: name })
  if (state === 'ended')
    return (
      <div ref={box} {...focus} className="flex items-center gap-2 max-md:justify-self-end">
        <span className="text-ink-2">Ended</span>
        <Button size="sm" busy={act.isPending} aria-label={`Renew ${title}`} onClick={() => perform('renew')}>
          Renew
        </Button>
      </div>
    )
  if (isUnanswered)
    return (
      <div ref={box} {...focus} className="max-md:justify-self-end">
        <p>Still buying?</p>
        <p className="mb-1 text-xs text-ink-2">{detail}</p>
        <Button size="sm" busy={act.isPending} aria-label={`Resume ${title}`} onClick={() => perform('resume')}>
          Resume
        </Button>
      </div>
    )
  if (isPausedForPlan(order))
    return (
      <div className="max-md:justify-self-end">
        <p>{label}</p>
        <p className="mb-1 text-xs text-ink-2">{detail}</p>
        <ButtonLink size="sm" href={choosePlan.path}>
          {choosePlan.label}
        </ButtonLink>
      </div>
    )
  return (
    <div ref={box} {...focus} className="flex items-center gap-2 max-md:justify-self-end">
      <Switch
        checked={state !== 'paused'}
        busy={act.isPending}
        onChange={(on) => perform(on ? 'resume' : 'pause')}
        label={`${title}: on`}
        hideLabel
      />
      <span className="num">
        {label}
        <span className="block text-xs text-ink-2">{detail}</span>
      </span>
    </div>
  )
}

function OrderMenu({ order, title, onEdit }: { order: BuyOrder; title: string; onEdit: (order: BuyOrder) => void }) {
  const act = useActOnOrder()
  const [asking, setAsking] = useState(false)
  const { id, state } = order
  const rests = isPausedForPlan(order)
  return (
    <div className="max-md:absolute max-md:top-2 max-md:right-2">
      <Menu trigger={<IconButton label={`More for ${title}`} icon={<Ellipsis size={18} />} />}>
        <MenuItem icon={<Pencil size={16} />} onSelect={() => onEdit(order)}>
          Edit
        </MenuItem>
        <MenuLink icon={<Search size={16} />} href={findPath(order)}>
          Find matching vehicles
        </MenuLink>
        {state === 'paused' && !rests ? (
          <MenuItem icon={<Play size={16} />} onSelect={() => act.mutate({ id, act: 'resume' })}>
            Resume
          </MenuItem>
        ) : null}
        {state === 'active' || state === 'filled' || rests ? (
          <MenuItem icon={<Pause size={16} />} onSelect={() => act.mutate({ id, act: 'pause' })}>
            Pause
          </MenuItem>
        ) : null}
        {isRenewable(order) && !rests ? (
          <MenuItem icon={<RotateCw size={16} />} onSelect={() => act.mutate({ id, act: 'renew' })}>
            Renew for 30 days
          </MenuItem>
        ) : null}
        {state === 'ended' ? null : (
          <MenuItem icon={<Square size={16} />} destructive onSelect={() => setAsking(true)}>
            End
          </MenuItem>
        )}
      </Menu>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`End the buy order for ${title}?`}
        description="You won't get new matches, and sellers no longer see it. Open offers continue. You can renew it."
        confirmLabel="End order"
        destructive
        busy={act.isPending}
        onConfirm={() => act.mutate({ id, act: 'end' }, { onSettled: () => setAsking(false) })}
      />
    </div>
  )
}
