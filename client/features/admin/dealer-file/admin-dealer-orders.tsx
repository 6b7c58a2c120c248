import { useQuery } from '@tanstack/react-query'
import ShoppingCart from 'lucide-react/icons/shopping-cart'
import { useState } from 'react'
import type { BuyOrder } from '#shared/schemas/wanted.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalize, formatMileage, formatMoney, formatVehicle } from '#client/ui/format.ts'
import { dealerOrdersQuery, useEndOrder } from './admin-dealer.api.ts'
import { Load } from '../home/admin-load.tsx'
import { ReasonDialog } from '../admin-reason-dialog.tsx'

const nameOf = ({ make, model, trims }: BuyOrder) => formatVehicle({ year: null, make, model, trim: trims.join(', ') })

/** Loaded only on demand, because each view of a dealer's buy orders is recorded. */
export function DealerOrders({ id }: { id: string }) {
  const [isShown, setShown] = useState(false)
  const [ending, setEnding] = useState<BuyOrder>()
  const query = useQuery({ ...dealerOrdersQuery(id), enabled: isShown })
  const end = useEndOrder()
  const close = () => setEnding(undefined)
  return (
    <Card aria-label="Buy orders">
      <CardHeader title="Buy orders" />
      {isShown ? (
        <Load query={query} what="buy orders">
          {({ orders }) => <Orders orders={orders} onEnd={setEnding} />}
        </Load>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-3">
          <p className="text-ink-2">Viewing them is recorded in the audit log.</p>
          <Button size="sm" onClick={() => setShown(true)}>
            Show buy orders
          </Button>
        </div>
      )}
      {ending ? (
        <ReasonDialog
          open
          onOpenChange={close}
          title="End this buy order?"
          description="Sellers no longer see its price. The dealer is notified with your reason and can renew it with different terms."
          confirmLabel="End order"
          busy={end.isPending}
          onConfirm={(reason) => end.mutate({ id, orderId: ending.id, reason }, { onSuccess: close })}
        />
      ) : null}
    </Card>
  )
}

function Orders({ orders, onEnd }: { orders: readonly BuyOrder[]; onEnd: (order: BuyOrder) => void }) {
  if (orders.length === 0)
    return <EmptyState level={3} compact icon={<ShoppingCart size={24} />} title="No buy orders" />
  return (
    <ul className="pb-1">
      {orders.map((order) => (
        <li
          key={order.id}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line px-4 py-2.5 not-last:border-b"
        >
          <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
            <span className="font-medium">{nameOf(order)}</span>
            <span className="num block text-xs text-ink-2">
              pays {formatMoney(order.price)}, under {formatMileage(order.milesMax)}, {order.perMonth} per month
            </span>
            {order.note === '' ? null : <span className="block text-xs text-ink-2">“{order.note}”</span>}
          </span>
          <span className="flex flex-wrap gap-1">
            {order.isLow ? <Badge tone="warning">Far below asking prices</Badge> : null}
            <Badge>{capitalize(order.state)}</Badge>
          </span>
          {order.state === 'ended' ? null : (
            <Button size="sm" aria-label={`End ${nameOf(order)}`} onClick={() => onEnd(order)}>
              End
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
