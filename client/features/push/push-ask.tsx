import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import BellRing from 'lucide-react/icons/bell-ring'
import { useEffect, useState } from 'react'
import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { useLocation } from 'wouter'
import { serverNow } from '#client/lib/live/connection.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { isNumber, isShape } from '#client/lib/http/type-guards.ts'
import { isCachedAuction } from '#client/lib/auction/cached-auctions.ts'
import { hasPushDevice, pushOffer, type PushReason } from '#client/lib/push-device.ts'
import { defineStored } from '#client/lib/storage/browser-storage.ts'
import { Button } from '#client/ui/button.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { pushQuery } from './push.api.ts'
import { hasWorker, useTurnOn } from './push-registration.ts'
import { pushSupport } from './push-support.ts'

interface Asked {
  atMs: number
  times: number
}

/** How many times this browser has offered push to the dealer, and when it last did. */
export const storedAsked = defineStored<Asked>({
  key: 'lanewire.push-asked',
  version: 1,
  isValue: isShape<Asked>({ atMs: isNumber, times: isNumber }),
})

const pauseMs = 14 * 24 * 60 * 60_000
const timesMax = 3

function isAskable(dealerId: string): boolean {
  const asked = storedAsked.read()
  const wasAsked = asked !== undefined && (asked.times >= timesMax || Date.now() - asked.atMs < pauseMs)
  return !wasAsked && !hasPushDevice(dealerId) && pushSupport() === 'ready'
}

const questions: Record<PushReason, string> = {
  outbid: "Get notified on this device when you're outbid?",
  answer: 'Get notified on this device when they answer?',
  match: 'Get notified on this device when a vehicle matches?',
}

/** Offers push notifications after the dealer has placed a bid, sent a message or created a buy order. */
export function PushAsk() {
  const { id } = useCurrentDealer()
  const reason = pushOffer.use(({ reason }) => reason)
  const end = () => pushOffer.set((state) => void (state.reason = undefined))
  const [isOffered, setOffered] = useState(false)
  useEffect(() => {
    if (reason === undefined) return setOffered(false)
    if (!isAskable(id)) return end()
    let isCanceled = false
    void hasWorker().then((has) => {
      if (isCanceled) return
      if (has) setOffered(true)
      else end()
    })
    return () => {
      isCanceled = true
    }
  }, [reason, id])
  return reason !== undefined && isOffered ? <Offer reason={reason} onEnd={end} /> : null
}

function Offer({ reason, onEnd }: { reason: PushReason; onEnd: () => void }) {
  // If the operator has disabled push, this query fails and push is not offered.
  const { isSuccess } = useQuery(pushQuery())
  const isFree = useFreeMoment(isSuccess)
  return isFree ? <AskBar reason={reason} onEnd={onEnd} /> : null
}

const lookEveryMs = 1_000
const lastMs = 30_000

/** True if an auction on screen ends within 30 seconds. */
const isAuctionEnding = (cache: QueryClient): boolean =>
  cache
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ queryKey }) => isCachedAuction(queryKey) })
    .map(({ state }) => state.data as Auction | undefined)
    .some((auction) => {
      const leftMs = auction?.status === 'open' ? Date.parse(auction.endsAt) - serverNow() : -1
      return leftMs >= 0 && leftMs <= lastMs
    })

const hasDialog = (): boolean =>
  document.querySelector('[role="dialog"]:not([data-beside]), [role="alertdialog"]') !== null

/** These pages have a text field, bid buttons or Save at the bottom edge, which the bar would cover. */
const hasControlsBelow = /^\/(messages|lane|settings)$/

/** True once the bar can appear without covering a dialog, bottom controls, or an auction that ends within 30 seconds. */
function useFreeMoment(isWanted: boolean): boolean {
  const cache = useQueryClient()
  const [path] = useLocation()
  const isTaken = hasControlsBelow.test(path)
  const [isFree, setFree] = useState(false)
  useEffect(() => {
    if (!isWanted || isFree || isTaken) return
    const look = () => setFree(!hasDialog() && !isAuctionEnding(cache))
    look()
    return everyVisible(lookEveryMs, look)
  }, [isWanted, isFree, isTaken, cache])
  return isFree && !isTaken
}

function AskBar({ reason, onEnd }: { reason: PushReason; onEnd: () => void }) {
  const turnOn = useTurnOn()
  useEffect(() => {
    storedAsked.write({ atMs: Date.now(), times: (storedAsked.read()?.times ?? 0) + 1 })
  }, [])
  const accept = () =>
    turnOn.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Push is on', description: 'You can change it under Settings, This device.' })
        onEnd()
      },
      onError: (error) => {
        toastFailure('Push was not turned on', error)
        onEnd()
      },
    })
  return (
    <section
      aria-label="Push notifications"
      className="fixed inset-x-0 bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-30 flex animate-rise flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-raised px-4 py-3 shadow-2 md:right-auto md:bottom-4 md:left-[calc(1rem+env(safe-area-inset-left))] md:w-90 md:rounded-md md:border beside:left-110"
    >
      <BellRing size={20} aria-hidden="true" className="flex-none text-accent-ink" />
      <p className="min-w-0 flex-1 font-medium">{questions[reason]}</p>
      <div className="flex w-full gap-2">
        <Button variant="primary" busy={turnOn.isPending} onClick={accept} className="flex-1">
          Turn on
        </Button>
        <Button variant="ghost" disabled={turnOn.isPending} onClick={onEnd} className="flex-1">
          Not now
        </Button>
      </div>
    </section>
  )
}
