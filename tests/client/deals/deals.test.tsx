import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { DealPanel } from '#client/features/deals/deals-panel.tsx'
import { DealPipeline } from '#client/features/deals/deal-pipeline.tsx'
import { DealsNavCount } from '#client/features/deals/deals-nav-count.tsx'
import { dealsInbox } from '#client/features/deals/deals.live.ts'
import { RecentTransactions } from '#client/features/deals/recent-transactions.tsx'
import { ConnectionRequest } from '#shared/schemas/dealers.ts'
import { dealStages } from '#shared/constants/deals.ts'
import {
  CounterOffer,
  Deal,
  DealCounts,
  DealDetail,
  type DealPipelineItem,
  DealPipelinePage,
  type DealStage,
  Offer,
} from '#shared/schemas/deals.ts'
import { useNavCounts } from '#client/lib/screen/nav-counts.ts'
import { fill, gone, press, refusalOf, says, showsItsStates, textIn } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, refusal, refuseFirst, sent } from '#tests/support/network.ts'
import { aCurrentUser, dealDetailBetween } from '#tests/support/records.ts'

const at = '2026-11-20T10:00:00.000Z'
const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString()
const me = aCurrentUser()
const Deals = Type.Array(Deal)

const dana = { id: me.id, name: me.name, dealershipName: me.dealershipName }
const marcus = { id: randomUUID(), name: 'Marcus Webb', dealershipName: 'Webb Bros' }

function anOffer(about: Partial<Offer> = {}): Offer {
  return {
    id: randomUUID(),
    postId: randomUUID(),
    vehicleId: randomUUID(),
    title: '2021 Ford F-150',
    askingPrice: 31_900,
    amount: 30_000,
    turn: 'seller',
    status: 'open',
    source: 'offer',
    seller: dana,
    buyer: marcus,
    dealId: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: tomorrow(),
    ...about,
  }
}

const aDealDetail = (about: Partial<DealDetail> = {}) => dealDetailBetween(dana, marcus, about)

type Entries = Partial<Record<DealStage, Partial<DealPipelineItem>[]>>

const anEntry = (about: Partial<DealPipelineItem>): DealPipelineItem => ({
  deal: null,
  offer: null,
  photo: null,
  next: null,
  waitsFor: null,
  ...about,
})

const pipelineCalls = (entries: () => Entries) => [
  http.get('*/api/deals/counts', () => {
    const count = (stage: DealStage) => entries()[stage]?.length ?? 0
    const [turn, waiting, completed, cancelled] = dealStages.map(count)
    return answer(DealCounts, { turn: turn!, waiting: waiting!, completed: completed!, cancelled: cancelled! })
  }),
  http.get('*/api/deals/pipeline', ({ request }) => {
    const { searchParams } = new URL(request.url)
    const items = (entries()[searchParams.get('stage') as DealStage] ?? []).map(anEntry)
    const from = Number(searchParams.get('cursor') ?? 0)
    const q = searchParams.get('q')
    const found = q === null ? items : items.filter(({ deal }) => deal?.model === q)
    return answer(DealPipelinePage, {
      items: found.slice(from, from + 2),
      nextCursor: found.length > from + 2 ? String(from + 2) : null,
    })
  }),
]

function Pipeline({ selectedId }: { selectedId?: string }) {
  const [stage, setStage] = useState<DealStage>('turn')
  const [q, setQ] = useState('')
  return <DealPipeline stage={stage} onStage={setStage} q={q} onSearch={setQ} selectedId={selectedId} search="" />
}

const listings = [
  { title: 'Deals', path: '*/api/deals/pipeline', empty: 'No deals yet', Screen: Pipeline },
  { title: 'Deals', path: `*/api/deals/${me.id}`, empty: 'No active deals', Screen: DealPanel },
  {
    title: 'Your activity',
    path: `*/api/deals/${me.id}`,
    empty: 'No transactions yet',
    loading: 'Loading recent activity',
    Screen: RecentTransactions,
  },
]

for (const { title, path, empty, Screen, loading = `Loading ${title.toLowerCase()}` } of listings)
  t.test(`shows loading, error, retry and "${empty}" for ${title}`, async (t) => {
    const network = fakeNetwork(t)
    network.use(
      ...pipelineCalls(() => ({})),
      http.get(`*/api/deals/${me.id}`, () => answer(Deals, [])),
      http.get(`*/api/connections/requests/${me.id}`, () => answer(Type.Array(ConnectionRequest), [])),
    )
    const refuse = refuseFirst(network, path)
    show(t, <Screen />, me)
    await showsItsStates(t, { loading, failure: `${title} could not be loaded`, empty, refuse })
  })

t.test('counts deals as active unless completed or cancelled', async (t) => {
  const statuses = ['cancelled', 'pending', 'completed', 'approved'] as const
  const deals = statuses.map((status) => ({ ...aDealDetail(), id: randomUUID(), status, model: `${status} car` }))
  fakeNetwork(t).use(
    http.get(`*/api/deals/${me.id}`, () => answer(Deals, deals)),
    http.get(`*/api/connections/requests/${me.id}`, () => answer(Type.Array(ConnectionRequest), [])),
  )
  show(t, <DealPanel />, me)
  await screen.findByText(/approved car/)
  const active = within(screen.getByRole('region', { name: /^Active Deals/ }))
  t.same(
    active.getAllByRole('link', { name: /car$/ }).map(({ textContent }) => textContent?.split(' ').at(-2)),
    ['pending', 'approved'],
  )
})

for (const Screen of [Pipeline, DealPanel, RecentTransactions])
  t.test(`links the vehicle to the deal and the other dealer to their page in ${Screen.name}`, async (t) => {
    const { id, ...deal } = aDealDetail()
    fakeNetwork(t).use(
      ...pipelineCalls(() => ({ turn: [{ deal: { ...deal, id }, next: 'approve' }] })),
      http.get(`*/api/deals/${me.id}`, () => answer(Deals, [{ ...deal, id }])),
      http.get(`*/api/connections/requests/${me.id}`, () => answer(Type.Array(ConnectionRequest), [])),
    )
    show(t, <Screen />, me)
    const name = await screen.findByRole('link', { name: marcus.name })
    t.equal(name.getAttribute('href'), `/dealers/${marcus.id}`)
    const vehicle = screen.getByRole('link', { name: [deal.year, deal.make, deal.model].join(' ') })
    t.equal(vehicle.getAttribute('href'), `/deals/${id}`)
  })

/** Shows a list with this offer. The server refuses the first `refused` actions. */
function openOffer(t: Test, offer: Offer, refused = 0) {
  const heard: [unknown, number | undefined][] = []
  const deal = aDealDetail()
  fakeNetwork(t).use(
    ...pipelineCalls(() => ({ turn: [offer.status === 'accepted' ? { deal, next: 'approve' } : { offer }] })),
    http.post(`*/api/offers/${offer.id}/:act`, async ({ request, params }) => {
      heard.push([params['act'], (await sent(CounterOffer, request)).amount])
      if (heard.length <= refused) return refusal(409, 'This offer is no longer open')
      if (params['act'] === 'accept') Object.assign(offer, { status: 'accepted', dealId: deal.id })
      else Object.assign(offer, { turn: 'buyer' })
      return answer(Offer, offer)
    }),
  )
  show(t, <Pipeline />, me)
  return heard
}

t.test('accepts an offer and opens its deal, or shows the refusal', async (t) => {
  const heard = openOffer(t, anOffer(), 1)
  await says(/^2[34] h \d+ min left$/)
  await press('Accept $30,000')
  await says('This offer is no longer open')
  await press('Accept $30,000')
  t.ok(await screen.findByRole('button', { name: 'Approve: 2021 Ford F-150' }), 'it is now a deal with its next step')
  t.same(
    heard,
    [
      ['accept', 30_000],
      ['accept', 30_000],
    ],
    'with the displayed amount',
  )
})

t.test('requires an amount for a counteroffer and keeps it after a refusal', async (t) => {
  const heard = openOffer(t, anOffer(), 1)
  await press('Counter')
  for (const text of ['', 'a lot', '-5']) {
    fill('Your counter', text)
    await press('Send counter')
    await becomes(t, () => refusalOf('Your counter'), 'Enter an amount in dollars')
  }
  fill('Your counter', '999999999')
  await press('Send counter')
  await becomes(t, () => refusalOf('Your counter'), 'Enter $99,999,999 or less')
  fill('Your counter', '$31,250.50')
  t.equal(refusalOf('Your counter'), undefined)
  await press('Send counter')
  await says('This offer is no longer open')
  t.equal(textIn('Your counter'), '$31,250.50')
  await press('Send counter')
  await becomes(t, () => screen.queryByLabelText('Your counter'), null)
  t.ok(within(screen.getByText('2021 Ford F-150').closest('li')!).getByText('Waiting'))
  t.same(heard, [
    ['counter', 31_250.5],
    ['counter', 31_250.5],
  ])
})

async function pressByKey(name: string | RegExp) {
  const [button] = await screen.findAllByRole('button', { name })
  act(() => button?.focus())
  fireEvent.click(button!)
}

t.test('moves the focus to the next offer after an answer, or to the page after the last', async (t) => {
  const amounts = [30_000, 31_000, 32_000, 33_000]
  const held = amounts.map((amount) => ({ offer: anOffer({ amount, title: `Offer of ${amount}` }) }))
  fakeNetwork(t).use(
    ...pipelineCalls(() => ({ turn: held })),
    http.post('*/api/offers/:id/:act', ({ params }) => {
      const [answered] = held.splice(
        held.findIndex(({ offer }) => offer.id === params['id']),
        1,
      )
      return answer(Offer, answered!.offer)
    }),
  )
  show(
    t,
    <main id="main" tabIndex={-1}>
      <Pipeline />
    </main>,
    me,
  )
  const hasFocus = (name: string) => becomes(t, () => document.activeElement?.textContent, name)
  await press('Load More')
  await says('Offer of 33000')
  await pressByKey('Decline')
  await hasFocus('Offer of 31000')
  await pressByKey('Counter')
  fill('Your counter', '31,500')
  await press('Send counter')
  await hasFocus('Offer of 32000')
  await pressByKey('Accept $33,000')
  await hasFocus('Offer of 32000')
  await pressByKey('Decline')
  await becomes(t, () => document.activeElement?.id, 'main')
})

t.test('focuses the status of an offer that stays in its list after a counter', async (t) => {
  openOffer(t, anOffer())
  await pressByKey('Counter')
  t.equal(document.activeElement, screen.getByLabelText('Your counter'), 'the amount can be typed at once')
  fill('Your counter', '31,500')
  await press('Send counter')
  await becomes(t, () => document.activeElement?.textContent?.startsWith('Waiting'), true)
})

t.test('shows actions according to whose turn it is', async (t) => {
  const shows = async (t: Test, offer: Offer, wanted: string[]) => {
    openOffer(t, offer)
    const card = within((await screen.findByText(offer.title)).closest('li')!)
    t.same(
      card.queryAllByRole('button').map(({ textContent }) => textContent),
      wanted,
    )
  }
  const bought = { seller: marcus, buyer: dana }
  await t.test('an offer that the other side has to answer', (t) => shows(t, anOffer({ turn: 'buyer' }), ['Withdraw']))
  await t.test('your own bid', (t) => shows(t, anOffer({ ...bought, source: 'auction' }), []))
  await t.test('a bid below the reserve', (t) =>
    shows(t, anOffer({ source: 'auction' }), ['Accept $30,000', 'Counter', 'Decline']),
  )
  await t.test('an expired offer', (t) => shows(t, anOffer({ status: 'expired' }), []))
})

const aDeal = (about: Partial<Deal> = {}): Deal => aDealDetail(about)

t.test('counts deals per tab like the server and moves a deal between tabs on an event', async (t) => {
  const deal = aDeal({ model: 'Bronco' })
  let entries: Entries = { turn: [{ deal, next: 'approve' }], waiting: [{ offer: anOffer({ turn: 'buyer' }) }] }
  fakeNetwork(t).use(...pipelineCalls(() => entries))
  const Badge = () => <output aria-label="in the bar">{useNavCounts().deals}</output>
  const { cache } = show(
    t,
    <>
      <Pipeline />
      <DealsNavCount />
      <Badge />
    </>,
    me,
  )
  const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
  await says('2021 Ford Bronco')
  await becomes(t, tabs, ['Your turn 1', 'Waiting 1', 'Completed 0', 'Cancelled 0'])
  await becomes(t, () => screen.getByLabelText('in the bar').textContent, '1')
  entries = { waiting: [{ deal: { ...deal, status: 'approved' }, waitsFor: 'sign' }, ...entries.waiting!] }
  act(() => dealsInbox.deal(cache))
  await says('Nothing needs your attention right now')
  await becomes(t, tabs, ['Your turn 0', 'Waiting 2', 'Completed 0', 'Cancelled 0'])
  await becomes(t, () => screen.getByLabelText('in the bar').textContent, '0')
  // This part tests the keyboard interaction of tabs: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
  const [first] = screen.getAllByRole('tab')
  act(() => first?.focus())
  fireEvent.keyDown(first!, { key: 'ArrowRight' })
  await says('Waiting for Marcus Webb to sign')
  await becomes(t, () => document.activeElement?.textContent, 'Waiting 2')
  fireEvent.keyDown(document.activeElement!, { key: 'End' })
  await says('Nothing cancelled')
})

t.test('runs the next action in the row or links to it', async (t) => {
  const [toApprove, toSign, toComplete] = [
    aDeal({ model: 'Ranger' }),
    aDeal({ model: 'Escape', status: 'approved' }),
    aDeal({ model: 'Edge', status: 'approved' }),
  ]
  const rows: Partial<DealPipelineItem>[] = [
    { deal: toApprove, next: 'approve' },
    { deal: toComplete, next: 'complete', photo: '/api/objects/1' },
    { deal: toSign, next: 'sign' },
  ]
  const heard: string[] = []
  fakeNetwork(t).use(
    ...pipelineCalls(() => ({ turn: rows })),
    http.post('*/api/deal/:id/:act', ({ params }) => {
      heard.push(String(params['act']))
      if (heard.length === 1) return refusal(409, 'The other side was faster')
      rows.splice(0, 1)
      return answer(DealDetail, aDealDetail({ id: String(params['id']) }))
    }),
  )
  show(t, <Pipeline selectedId={toApprove.id} />, me)
  await says('2021 Ford Ranger')
  t.equal(screen.getByText('2021 Ford Ranger').closest('li')?.getAttribute('aria-current'), 'true')
  t.ok(
    screen
      .getByText('2021 Ford Edge')
      .closest('li')
      ?.querySelector('img[srcset^="/api/objects/1?w=320 320w"][sizes="72px"]'),
  )
  await press('Load More')
  const sign = await screen.findByRole('link', { name: 'Sign: 2021 Ford Escape' })
  t.equal(sign.getAttribute('href'), `/deals/${toSign.id}#sign`)
  await press('Approve: 2021 Ford Ranger')
  await says('The other side was faster')
  await press('Approve: 2021 Ford Ranger')
  await gone(t, '2021 Ford Ranger')
  await press('Complete: 2021 Ford Edge')
  await press('Not yet')
  t.same(heard, ['approve', 'approve'], 'it asks first')
  await press('Complete: 2021 Ford Edge')
  await press('Complete deal')
  await gone(t, '2021 Ford Edge')
  t.same(heard, ['approve', 'approve', 'complete'])
  fill('Search deals', 'Escape')
  await says('2021 Ford Escape')
  fill('Search deals', 'Focus')
  await says('No deals found')
})

t.test('says who made the amount of an offer', async (t) => {
  const asBuyer = { seller: marcus, buyer: dana }
  const [ours, theirs, asked, offered] = [
    anOffer({ title: 'Escape', turn: 'buyer' }),
    anOffer({ title: 'Edge', turn: 'seller' }),
    anOffer({ title: 'Ranger', turn: 'seller', ...asBuyer }),
    anOffer({ title: 'Bronco', turn: 'buyer', ...asBuyer }),
  ]
  const rows = [ours, theirs, asked, offered].map((offer) => ({ offer }))
  fakeNetwork(t).use(...pipelineCalls(() => ({ turn: rows })))
  show(t, <Pipeline />, me)
  await says('Escape')
  await press('Load More')
  await says('Bronco')
  const party = (title: string) => /Offer (from|to) Marcus Webb/.exec(rowOf(title) ?? '')?.[1]
  const rowOf = (title: string) => screen.getByText(title).closest('li')?.textContent
  t.same(['Escape', 'Edge', 'Ranger', 'Bronco'].map(party), ['to', 'from', 'to', 'from'])
})
