import { type ReactNode, useState } from 'react'
import { DealerDialog } from '#client/features/dealers/dealer-dialog.tsx'
import { MessageDialog } from '#client/features/messaging/message-dialog.tsx'
import type { Dealer } from '#shared/schemas/dealers.ts'

/** The dealer profile popup and the Message dialog it leads to, the same on every page. */
export function useDealerPopup(): { showProfile: (dealer: Dealer) => void; popup: ReactNode } {
  const [profile, setProfile] = useState<Dealer>()
  const [addressee, setAddressee] = useState<Dealer>()
  const write = (dealer: Dealer) => {
    setProfile(undefined)
    setAddressee(dealer)
  }
  return {
    showProfile: setProfile,
    popup: (
      <>
        {profile ? <DealerDialog dealer={profile} onClose={() => setProfile(undefined)} onMessage={write} /> : null}
        {addressee ? (
          <MessageDialog dealer={addressee} open onOpenChange={(open) => !open && setAddressee(undefined)} />
        ) : null}
      </>
    ),
  }
}
