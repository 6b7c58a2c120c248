import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import type { ReactNode } from 'react'
import t from 'tap'
import { EndAuction } from '#client/features/auctions/end-auction.tsx'
import { TermsForm } from '#client/features/auctions/terms-form.tsx'
import { ChangeEmailDialog } from '#client/features/dealers/email-field.tsx'
import { DealDocuments } from '#client/features/deals/room/deal-documents.tsx'
import { ReportDialog } from '#client/features/moderation/moderation-report-dialog.tsx'
import { Auction } from '#shared/schemas/auctions.ts'
import { fill, press } from '#tests/support/controls.ts'
import { LeftPage, leavePage } from '#tests/support/left-page.tsx'
import { answer, fakeNetwork, http, refusal } from '#tests/support/network.ts'
import { aCurrentUser, anApprovedDeal, anAuction } from '#tests/support/records.ts'

// An error next to a field must also reach a dealer who has left the form, and must otherwise appear only once.

const me = aCurrentUser()
const auction = anAuction({ bidCount: 0 })
const deal = anApprovedDeal(me, { sign: ['bill_of_sale'], giveMileage: true })
const ignore = () => {}

interface Form {
  title: string
  path: string
  form: ReactNode
  send: () => Promise<void>
}

const forms: Record<string, Form> = {
  'the end of an auction': {
    title: 'Auction not ended',
    path: `*/api/inventory/${auction.postId}/auction/end`,
    form: <EndAuction auction={auction} />,
    send: async () => {
      await press('End auction')
      fill(/^Reason/, 'It is sold elsewhere')
      await press('End auction')
    },
  },
  'the terms of an auction': {
    title: 'Auction not changed',
    path: `*/api/inventory/${auction.postId}/auction`,
    form: <TermsForm auction={auction} />,
    send: () => press('Save terms'),
  },
  'another email': {
    title: 'Email not changed',
    path: '*/api/profile/email',
    form: <ChangeEmailDialog hasPassword={false} onClose={ignore} />,
    send: async () => {
      fill(/^New email/, 'dana@torres.example')
      await press('Change email')
    },
  },
  'a report': {
    title: 'The report was not sent',
    path: '*/api/reports',
    form: <ReportDialog subject={{ kind: 'post', id: randomUUID(), name: 'A truck' }} onClose={ignore} />,
    send: async () => {
      fireEvent.click(screen.getByRole('radio', { name: 'Spam or advertising' }))
      await press('Send report')
    },
  },
  'a signature': {
    title: 'Document not signed',
    path: `*/api/deal/${deal.id}/documents/bill_of_sale/signature`,
    form: <DealDocuments deal={deal} onFocus={ignore} />,
    send: async () => {
      fill('Sign the Bill of Sale', 'Dana Torres')
      await press('Sign')
    },
  },
  'the mileage': {
    title: 'Mileage not saved',
    path: `*/api/deal/${deal.id}/mileage`,
    form: <DealDocuments deal={deal} onFocus={ignore} />,
    send: async () => {
      fill('Mileage', '48210')
      await press('Save mileage')
    },
  },
}

for (const [what, { title, path, form, send }] of Object.entries(forms))
  for (const leaves of [true, false])
    t.test(`shows a refused ${what} once to a dealer who ${leaves ? 'has left' : 'is there'}`, async (t) => {
      let refuse = () => {}
      const refused = new Promise<void>((resolve) => (refuse = resolve))
      let asked = 0
      fakeNetwork(t).use(
        http.get('*/api/profile', () => new Promise<never>(ignore)),
        http.get('*/api/inventory/:id/auction', () => answer(Auction, auction)),
        http.all(path, async () => {
          asked += 1
          await refused
          return refusal(409, 'Somebody was faster')
        }),
      )
      const { cache } = show(t, <LeftPage>{form}</LeftPage>, me)
      await send()
      await becomes(t, () => asked, 1)
      if (leaves) leavePage()
      refuse()
      t.ok((await screen.findAllByText('Somebody was faster')).length > 0)
      await becomes(t, () => cache.isMutating(), 0)
      if (leaves) t.ok(screen.queryAllByText(title).length > 0)
      t.equal(screen.queryByRole('button', { name: 'Dismiss', hidden: true }) !== null, leaves)
    })
