import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { DealView } from '#client/features/deals/room/deal-view.tsx'
import { dealsInbox } from '#client/features/deals/deals.live.ts'
import { ReviewForm } from '#client/features/reviews/review-form.tsx'
import { DealDetail, NewSignature } from '#shared/schemas/deals.ts'
import { fill, gone, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, refusal, sent } from '#tests/support/network.ts'
import { aCurrentUser, dealDetailBetween, mayNothing } from '#tests/support/records.ts'

const at = '2026-11-20T10:00:00.000Z'
const me = aCurrentUser()
const dana = { id: me.id, name: me.name, dealershipName: me.dealershipName }
const marcus = { id: randomUUID(), name: 'Marcus Webb', dealershipName: 'Webb Bros' }
const aDealDetail = (about: Partial<DealDetail> = {}) => dealDetailBetween(dana, marcus, about)

function openDeal(t: Test, deal: DealDetail) {
  const server: { deal: DealDetail; refused: (() => Response) | undefined } = { deal, refused: undefined }
  const network = fakeNetwork(t)
  network.use(http.get(`*/api/deal/${deal.id}`, () => server.refused?.() ?? answer(DealDetail, server.deal)))
  const messages: string[] = []
  const children = (
    <DealView
      dealId={deal.id}
      onMessage={(dealerId) => void messages.push(dealerId)}
      renderReview={() => <p>The review</p>}
      renderConversation={({ chatId }) => <p>Chat {chatId}</p>}
    />
  )
  return { network, server, messages, open: () => show(t, children, me) }
}

t.test('tells a missing or foreign deal from one that failed to load', async (t) => {
  for (const status of [400, 403, 404])
    await t.test(String(status), async (t) => {
      const { server, open } = openDeal(t, aDealDetail())
      server.refused = () => refusal(status, 'This deal was not found')
      open()
      await says('Deal not found')
    })
  for (const status of [401, 429, 503])
    await t.test(String(status), async (t) => {
      const { server, open } = openDeal(t, aDealDetail())
      server.refused = () => refusal(status, 'Not now')
      open()
      await says('Loading the deal')
      t.match((await screen.findByRole('alert')).textContent, /The deal could not be loaded.*Not now/)
      t.equal(screen.queryByText('Deal not found'), null)
      server.refused = undefined
      await press('Retry')
      await says('2021 Ford F-150')
    })
})

t.test('keeps a deal that could not be refreshed and marks it as stale', async (t) => {
  const { server, open } = openDeal(t, aDealDetail())
  const { cache } = open()
  await says('2021 Ford F-150')
  server.refused = away
  act(() => dealsInbox.deal(cache))
  t.match((await screen.findByRole('alert')).textContent, /The database is away/)
  await says('2021 Ford F-150')
})

t.test('shows refusals to approve or cancel and changes nothing', async (t) => {
  const may = { ...mayNothing, approve: true, cancel: true }
  const { network, server, messages, open } = openDeal(t, aDealDetail({ may }))
  const heard: unknown[] = []
  network.use(
    http.post(`*/api/deal/${server.deal.id}/:act`, ({ params }) => {
      heard.push(params['act'])
      if (heard.length <= 2) return refusal(409, 'The other side was faster')
      const status = params['act'] === 'approve' ? 'approved' : 'cancelled'
      server.deal = { ...server.deal, status, may: { ...may, approve: false, cancel: status === 'approved' } }
      return answer(DealDetail, server.deal)
    }),
  )
  open()
  await says('Approve to generate the paperwork.')
  const lastAct = () => screen.getByRole('button', { name: 'Message' }).parentElement?.lastElementChild?.textContent
  t.equal(lastAct(), 'Cancel deal')
  await press('Message')
  t.same(messages, [marcus.id])
  await press('Approve')
  await says('The other side was faster')
  await press('Cancel deal')
  await says('Cancel this deal?')
  await press('Cancel deal')
  await gone(t, 'Cancel this deal?')
  await says('Approve to generate the paperwork.')
  await press('Approve')
  await says('Waiting for the other side.')
  t.equal(lastAct(), 'Cancel deal', 'it keeps its place, so that a double click on Approve does not hit it')
  await press('Cancel deal')
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel deal' }))
  await says('This deal was cancelled.')
  t.same(heard, ['approve', 'cancel', 'approve', 'cancel'])
})

t.test('moves the focus to the next step after an action and to the next field', async (t) => {
  const paper = { number: '1', version: 1, ready: true, createdAt: at } as const
  const documents = (['bill_of_sale', 'odometer'] as const).map((kind) => ({ ...paper, kind, id: randomUUID() }))
  const deal = aDealDetail({ may: { ...mayNothing, approve: true, cancel: true } })
  const { network, server, open } = openDeal(t, deal)
  const kinds = documents.map(({ kind }) => kind)
  network.use(
    http.post(`*/api/deal/${deal.id}/approve`, () => {
      server.deal = { ...deal, status: 'approved', documents, may: { ...mayNothing, cancel: true, sign: kinds } }
      return answer(DealDetail, server.deal)
    }),
    http.post(`*/api/deal/${deal.id}/documents/:kind/signature`, ({ params }) => {
      const { may } = server.deal
      const sign = may.sign.filter((kind) => kind !== params['kind'])
      server.deal = { ...server.deal, may: { ...may, sign } }
      return answer(DealDetail, server.deal)
    }),
  )
  open()
  const pressFocused = (button: HTMLElement) => {
    button.focus()
    fireEvent.click(button)
  }
  pressFocused(await screen.findByRole('button', { name: 'Approve' }))
  await says('Sign the documents below.')
  await becomes(t, () => document.activeElement?.textContent, 'Sign the documents below.')
  for (const label of ['Sign the Bill of Sale', 'Sign the Mileage statement between dealers']) {
    fill(label, 'Dana Torres')
    const form = screen.getByLabelText(label).closest('form') ?? document.body
    pressFocused(within(form).getByRole('button', { name: 'Sign' }))
    await becomes(t, () => screen.queryByLabelText(label), null)
    const next = () =>
      screen.queryByLabelText('Sign the Mileage statement between dealers') ??
      screen.queryByText('Waiting for the other side.')
    await becomes(t, () => document.activeElement === next(), true)
  }
})

t.test('signs a document by name and shows a refusal beside it', async (t) => {
  const document = {
    id: randomUUID(),
    kind: 'bill_of_sale',
    number: 'BOS-1',
    version: 1,
    ready: true,
    createdAt: at,
  } as const
  const may = { ...mayNothing, sign: ['bill_of_sale' as const] }
  const { network, server, open } = openDeal(t, aDealDetail({ status: 'approved', documents: [document], may }))
  const heard: string[] = []
  network.use(
    http.post(`*/api/deal/${server.deal.id}/documents/bill_of_sale/signature`, async ({ request }) => {
      const { name } = await sent(NewSignature, request)
      heard.push(name)
      if (heard.length === 1) return refusal(409, 'A newer version has been made. Read it first')
      const signature = { kind: 'bill_of_sale', dealerId: dana.id, name, address: '203.0.113.7', signedAt: at } as const
      server.deal = { ...server.deal, signatures: [signature], may: { ...may, sign: [] } }
      return answer(DealDetail, server.deal)
    }),
  )
  open()
  await says('Sign the documents below.')
  const label = 'Sign the Bill of Sale'
  fill(label, ' D ')
  await press('Sign')
  await becomes(t, () => refusalOf(label), 'Type your full name to sign')
  fill(label, ' Dana Torres ')
  await press('Sign')
  await becomes(t, () => refusalOf(label), 'A newer version has been made. Read it first')
  t.equal(textIn(label), ' Dana Torres ')
  await press('Sign')
  await says(/^signed “Dana Torres”/)
  t.equal(screen.queryByLabelText(label), null)
  t.same(heard, ['Dana Torres', 'Dana Torres'])
})

t.test('shows why a deal was rejected and asks for a review of a completed one', async (t) => {
  await t.test('rejected', async (t) => {
    openDeal(
      t,
      aDealDetail({
        status: 'cancelled',
        review: { status: 'rejected', submittedAt: at, reason: 'The VIN is of another car', at },
      }),
    ).open()
    await says('The VIN is of another car')
    await says(/^Rejected by Lanewire/)
    await says('This deal has no documents.')
  })
  await t.test('completed', async (t) => {
    openDeal(t, aDealDetail({ status: 'completed', may: { ...mayNothing, review: true } })).open()
    await says('The review')
    await says('Leave a review.')
  })
})

t.test('does not replace newer data with the late response of an action', async (t) => {
  const { network, server, open } = openDeal(t, aDealDetail({ may: { ...mayNothing, approve: true } }))
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  let asked = 0
  network.use(
    http.post(`*/api/deal/${server.deal.id}/approve`, async () => {
      const approved: DealDetail = { ...server.deal, status: 'approved', may: mayNothing }
      server.deal = { ...approved, status: 'cancelled' }
      asked += 1
      await arrived
      return answer(DealDetail, approved)
    }),
  )
  const { cache } = open()
  await press('Approve')
  await becomes(t, () => asked, 1)
  act(() => dealsInbox.deal(cache))
  await says('This deal was cancelled.')
  arrive()
  await becomes(t, () => cache.isMutating() + cache.isFetching(), 0)
  t.ok(screen.queryByText('This deal was cancelled.'))
})

t.test('focuses and marks the incomplete field of a review', async (t) => {
  fakeNetwork(t)
  show(t, <ReviewForm dealId={randomUUID()} about="Marcus Webb" />, me)
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id
  fill('Your review', 'As described')
  await press('Publish review')
  t.same([refusalOf('Rating'), refusalOf('Your review')], ['Choose one to five stars', undefined])
  t.equal(focused(), '1 star')
  fireEvent.click(screen.getByRole('radio', { name: '4 stars' }))
  fill('Your review', ' ')
  await press('Publish review')
  t.same([refusalOf('Rating'), refusalOf('Your review')], [undefined, 'Write a few words about the deal'])
  t.equal(focused(), screen.getByLabelText('Your review').id)
})

t.test('asks before a deal is completed', async (t) => {
  const { network, server, open } = openDeal(
    t,
    aDealDetail({ status: 'approved', may: { ...mayNothing, complete: true } }),
  )
  let completed = 0
  network.use(
    http.post(`*/api/deal/${server.deal.id}/complete`, () => {
      completed += 1
      server.deal = { ...server.deal, status: 'completed', may: { ...mayNothing, review: true } }
      return answer(DealDetail, server.deal)
    }),
  )
  open()
  await press('Complete')
  await says(/once you have the 2021 Ford F-150\. The vehicle is then sold, and this cannot be undone\.$/)
  await press('Not yet')
  await gone(t, 'Complete this deal?')
  t.equal(completed, 0)
  const opener = screen.getByRole('button', { name: 'Complete' })
  opener.focus()
  await press('Complete')
  await press('Complete deal')
  await says('The review')
  t.equal(completed, 1)
  t.equal(document.activeElement?.textContent, 'Leave a review.', 'the next step has the focus')
})
