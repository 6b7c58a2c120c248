import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { openKeys } from '#client/app/shortcuts.tsx'
import { EndAuction } from '#client/features/auctions/end-auction.tsx'
import { dealsQuery } from '#client/features/deals/deals.api.ts'
import { OfferCard } from '#client/features/deals/offer-card.tsx'
import { offersQuery } from '#client/features/deals/offers.api.ts'
import { LaneScreen } from '#client/features/lane/lane.tsx'
import { nameOfRow } from '#client/features/lane/lists/row-standing.ts'
import { openChatWith } from '#client/features/messaging/open-chat-with.ts'
import { useWatch } from '#client/features/saved/saved.api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { askToReport } from '#client/lib/screen/report-subject.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import { useListFocus } from '#client/ui/list-focus.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'
import { emptyFind, findSearch } from '#shared/find-query.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'

const PostDialog = lazyPart(async () => (await import('#client/features/posting/post-dialog.tsx')).PostDialog)
const PostPhotoViewer = lazyPart(
  async () => (await import('#client/features/posts/photos/post-photo-viewer.tsx')).PostPhotoViewer,
)

export function LanePage() {
  const [posting, setPosting] = useState(false)
  const [pictured, setPictured] = useState<LaneRow>()
  const watch = useWatch()
  const openDeal = useOpenDeal()
  const { data: offers } = useQuery(offersQuery())
  const answers = useListFocus()
  return (
    <PageLayout title="Lane" full>
      <LaneScreen
        onMessage={(sellerId, post) => void openChatWith(sellerId, { post })}
        onPhotos={setPictured}
        onWatch={(postId, on) => watch.mutate({ postId, on })}
        offerOf={(postId) => offers?.find((offer) => offer.source === 'auction' && offer.postId === postId)}
        onOpenDeal={(postId) => void openDeal(postId)}
        onShowKeys={openKeys}
        similarPath={similarPath}
        onOpenCase={(row) => askToReport({ kind: 'post', id: row.postId, name: nameOfRow(row) })}
        sellersParts={{
          onNewAuction: () => setPosting(true),
          renderOffer: (offerId) => <SellersOffer offerId={offerId} answers={answers} />,
          renderWithdraw: (postId) => <Withdraw postId={postId} />,
        }}
      />
      <Suspense>
        {pictured?.photoUrl ? (
          <PostPhotoViewer
            postId={pictured.postId}
            title={nameOfRow(pictured)}
            first={pictured.photoUrl}
            onClose={() => setPictured(undefined)}
          />
        ) : null}
      </Suspense>
      <Suspense>{posting ? <PostDialog open onOpenChange={setPosting} /> : null}</Suspense>
    </PageLayout>
  )
}

/** Returns a link to a search for vehicles of the same model. */
const similarPath = ({ make, model }: LaneRow): string | undefined =>
  make === null || model === null ? undefined : `/find?${findSearch({ ...emptyFind, mmt: [{ make, model }] })}`

/** Opens the deal of a won auction, or the list of deals if the deal does not exist yet. */
function useOpenDeal() {
  const cache = useQueryClient()
  const me = useCurrentDealer()
  const [, navigate] = useLocation()
  const isShown = useIsMounted()
  return async (postId: string) => {
    try {
      const deals = await cache.fetchQuery({ ...dealsQuery(me.id), staleTime: 0 })
      const deal = deals.find((one) => one.postId === postId)
      if (isShown()) navigate(deal ? `/deals/${deal.id}` : '/deals')
    } catch (error) {
      toastFailure('The deal could not be opened', error)
    }
  }
}

/** @param answers handlers that move focus after an answer, because the answered offer disappears */
function SellersOffer({ offerId, answers }: { offerId: string; answers: ReturnType<typeof useListFocus> }) {
  const query = useQuery(offersQuery())
  const offer = query.data?.find(({ id }) => id === offerId)
  return (
    <>
      <QueryState query={query} failure="The offer could not be loaded" label="Loading the offer">
        <SkeletonRows rows={1} />
      </QueryState>
      {offer ? (
        <ul {...answers} className="-mx-4">
          <OfferCard offer={offer} photo={null} />
        </ul>
      ) : null}
    </>
  )
}

function Withdraw({ postId }: { postId: string }) {
  const { data } = useQuery(auctionQuery(postId))
  return data ? <EndAuction auction={data} /> : null
}
