import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { loadWhenIdle } from '#client/lib/screen/load-when-idle.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import type { Dealer } from '#shared/schemas/dealers.ts'

// Loaded once the page has settled, or earlier on demand.
const loadProfile = () => import('#client/features/dealers/dealer-dialog.tsx')
const loadMessage = () => import('#client/features/messaging/message-dialog.tsx')
const DealerDialog = lazyPart(async () => (await loadProfile()).DealerDialog)
export const MessageDialog = lazyPart(async () => (await loadMessage()).MessageDialog)

export function useDealerPopup(): { showProfile: (dealer: Dealer) => void; popup: ReactNode } {
  const [profile, setProfile] = useState<Dealer>()
  const [addressee, setAddressee] = useState<Dealer>()
  useEffect(() => loadWhenIdle(() => Promise.all([loadProfile(), loadMessage()])), [])
  const write = (dealer: Dealer) => {
    setProfile(undefined)
    setAddressee(dealer)
  }
  return {
    showProfile: setProfile,
    popup: (
      <Suspense>
        {profile ? <DealerDialog dealer={profile} onClose={() => setProfile(undefined)} onMessage={write} /> : null}
        {addressee ? (
          <MessageDialog dealer={addressee} open onOpenChange={(open) => !open && setAddressee(undefined)} />
        ) : null}
      </Suspense>
    ),
  }
}
