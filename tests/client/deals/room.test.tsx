import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { messagingStore } from '#client/features/messaging/messaging.store.ts'
import { messageClient, startMessaging } from '#client/features/messaging/sync/current-client.ts'
import { dealsInbox } from '#client/features/deals/deals.live.ts'
import { DealsPage } from '#client/pages/deals.tsx'
import { ConnectionRequest, CurrentUser } from '#shared/schemas/dealers.ts'
import { dealStages } from '#shared/constants/deals.ts'
import {
  Deal,
  DealCounts,
  DealDetail,
  DealPaper,
  type DealPipelineItem,
  DealPipelinePage,
  type Offer,
} from '#shared/schemas/deals.ts'
import { Chat, Message, MessagesPage, NewMessage } from '#shared/schemas/messaging.ts'
import { Route, Switch } from 'wouter'
import { fill, press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, HttpResponse, refusal, sent } from '#tests/support/network.ts'
import { aCurrentUser, dealDetailBetween, mayNothing } from '#tests/support/records.ts'

const at = '2026-11-20T10:00:00.000Z'
const me = aCurrentUser()
const dana = { id: me.id, name: me.name, dealershipName: me.dealershipName }
const marcus = { id: randomUUID(), name: 'Marcus Webb', dealershipName: 'Webb Bros' }
const aDeal = (about: Partial<DealDetail> = {}) => dealDetailBetween(dana, marcus, about)

const aChat = (): Chat => ({
  id: randomUUID(),
  participants: [dana, marcus].map((one) => ({ ...one, avatar: null })),
  messages: [],
  unreadCount: 0,
  lastActivity: at,
  createdAt: at,
  rev: 0,
  lastSeq: 0,
  readSeq: 0,
  otherReadSeq: null,
  muted: false,
  blocked: false,
  context: null,
})

const aMessage = (senderId: string, content: string, seq: number, clientId: string = randomUUID()): Message => ({
  id: randomUUID(),
  seq,
  rev: seq,
  senderId,
  content,
  createdAt: at,
  clientId,
  attachmentUrl: null,
  attachmentName: null,
})

const pageOf = (messages: Message[]): MessagesPage => {
  const newest = messages.length
  return { messages, more: false, rev: newest, lastSeq: newest }
}

const anOffer = (): Offer => ({
  id: randomUUID(),
  postId: randomUUID(),
  vehicleId: randomUUID(),
  title: '2020 Volvo XC90',
  askingPrice: null,
  amount: 26_000,
  turn: 'seller',
  status: 'open',
  source: 'offer',
  seller: dana,
  buyer: marcus,
  dealId: null,
  createdAt: at,
  updatedAt: at,
  expiresAt: at,
})

interface World {
  deals: DealDetail[]
  items: Partial<DealPipelineItem>[]
  chats: Chat[]
}

function openPage(t: Test, world: World, { path = '/deals', wide = true } = {}) {
  const { matchMedia } = window
  const media = { matches: wide, addEventListener: () => undefined, removeEventListener: () => undefined }
  window.matchMedia = ((query: string) => ({
    ...media,
    matches: query.includes('>=') ? wide : false,
  })) as unknown as typeof matchMedia
  t.teardown(() => void (window.matchMedia = matchMedia))
  const network = fakeNetwork(t)
  const none = { deal: null, offer: null, photo: null, next: null, waitsFor: null }
  network.use(
    http.get('*/api/deals/counts', () =>
      answer(DealCounts, { turn: world.items.length, waiting: 0, completed: 0, cancelled: 0 }),
    ),
    http.get('*/api/deals/pipeline', ({ request }) => {
      const isTurn = new URL(request.url).searchParams.get('stage') === dealStages[0]
      const items = isTurn ? world.items.map((item) => ({ ...none, ...item })) : []
      return answer(DealPipelinePage, { items, nextCursor: null })
    }),
    http.get('*/api/deal/:id', ({ params }) => {
      const found = world.deals.find(({ id }) => id === params['id'])
      return found ? answer(DealDetail, found) : refusal(404, 'This deal was not found')
    }),
    http.get(`*/api/deals/${me.id}`, () => answer(Type.Array(Deal), [])),
    http.get(`*/api/connections/requests/${me.id}`, () => answer(Type.Array(ConnectionRequest), [])),
    http.get('*/api/chats', () =>
      answer(Type.Array(Chat), world.chats, { 'x-total-count': String(world.chats.length) }),
    ),
    http.get('*/api/heads', () => HttpResponse.json({ dealerRev: 0, chats: [] })),
    http.get('*/api/auth/me', () => answer(CurrentUser, me)),
  )
  const screen = show(
    t,
    <Switch>
      <Route path="/deals/:id?">
        <DealsPage />
      </Route>
    </Switch>,
    me,
    path,
  )
  act(() => t.teardown(startMessaging(me.id, screen.cache)))
  return { network, ...screen }
}

t.test('opens /deals with the first deal that needs the dealer, and keeps it when the list changes', async (t) => {
  const [first, second] = [aDeal({ model: 'Ranger' }), aDeal({ model: 'Escape' })]
  const world: World = {
    deals: [first, second],
    items: [{ offer: anOffer() }, { deal: first, next: 'approve' }, { deal: second, next: 'approve' }],
    chats: [],
  }
  const { cache } = openPage(t, world)
  await screen.findByRole('heading', { level: 2, name: '2021 Ford Ranger' })
  t.ok(screen.getByRole('heading', { level: 1, name: 'Deals' }))
  const current = () =>
    screen.getAllByRole('listitem').find((row) => row.getAttribute('aria-current') === 'true')?.textContent
  t.match(current(), /Ranger/)
  world.items.splice(1, 1)
  act(() => dealsInbox.deal(cache))
  await becomes(t, () => within(screen.getByRole('list', { name: 'Your turn' })).queryByText('2021 Ford Ranger'), null)
  t.ok(screen.getByRole('heading', { level: 2, name: '2021 Ford Ranger' }), 'it stays open')
})

t.test('says how deals begin if there are none', async (t) => {
  for (const wide of [true, false])
    await t.test(wide ? 'wide' : 'phone', async (t) => {
      openPage(t, { deals: [], items: [], chats: [] }, { wide })
      await screen.findByRole('heading', { name: 'How deals begin' })
      t.equal(screen.getByRole('link', { name: 'Find a vehicle' }).getAttribute('href'), '/find')
      t.ok(screen.getByText(/The seller has 24 hours to accept, counter or decline\./))
      t.equal(screen.queryByText('Select a deal'), null)
    })
})

t.test('opens no deal by itself if the URL names a stage', async (t) => {
  const deal = aDeal()
  openPage(t, { deals: [deal], items: [{ deal, next: 'approve' }], chats: [] }, { path: '/deals?stage=turn' })
  await says('Select a deal')
  t.ok(await screen.findByRole('link', { name: '2021 Ford F-150' }))
})

t.test('shows path, turn, offers and photo of a deal', async (t) => {
  const step = (kind: string, amount: number, by: string) => ({ kind, amount, by, at, note: null })
  const deal = aDeal({
    photo: '/api/objects/1',
    may: { ...mayNothing, approve: true },
    steps: [
      step('offered', 28_000, marcus.name),
      step('countered', 30_500, dana.name),
      step('accepted', 30_000, marcus.name),
    ],
  })
  openPage(t, { deals: [deal], items: [], chats: [] }, { path: `/deals/${deal.id}` })
  await screen.findByRole('heading', { level: 1, name: '2021 Ford F-150' })
  t.ok(screen.getByRole('img', { name: '2021 Ford F-150' }))
  const path = within(screen.getByRole('list', { name: 'Deal progress' })).getAllByRole('listitem')
  t.same(
    path.map(({ textContent }) => textContent?.replace(/Nov \d+$/, '')),
    ['Agreed: done', 'Approved: nowYou', 'Documents: not yet', 'Signed: not yet', 'Picked up: not yet'],
  )
  t.same(
    path.map((one) => one.getAttribute('aria-current')),
    [null, 'step', null, null, null],
  )
  t.ok(screen.getByText(/^No deadline\. Open since/))
  const offers = within(screen.getByRole('region', { name: 'Offers' })).getAllByRole('listitem')
  t.same(
    offers.map(({ textContent }) => /^[A-Z][a-z-]+/.exec(textContent ?? '')?.[0]),
    ['Accepted', 'Counter-offer', 'Offer'],
    'the agreed price is on top',
  )
  t.match(offers[0]?.textContent, /−\$500\$30,000$/)
  t.match(offers[1]?.textContent, /\+\$2,500\$30,500$/)
  t.match(offers[2]?.textContent, /\d\$28,000$|M\$28,000$/, 'nothing came before the first')
  const timeline = within(screen.getByRole('region', { name: 'Timeline' }))
  t.ok(timeline.getByText(/^Offer accepted/))
  t.equal(timeline.queryByText(/^Offer made/), null, 'the ladder has it')
})

t.test('writes and receives messages of the chat with the other dealer', async (t) => {
  const chat = aChat()
  const deal = aDeal({ chatId: chat.id })
  const { network } = openPage(t, { deals: [deal], items: [], chats: [chat] }, { path: `/deals/${deal.id}` })
  const heard: string[] = []
  const stored: Message[] = []
  network.use(
    http.get(`*/api/chats/${chat.id}/messages`, () => answer(MessagesPage, pageOf(stored))),
    http.post('*/api/messages', async ({ request }) => {
      const { chatId, content } = await sent(NewMessage, request)
      heard.push(`${chatId} ${content}`)
      stored[0] = aMessage(me.id, content, 1, request.headers.get('idempotency-key') ?? '')
      return answer(Message, stored[0])
    }),
    http.put(`*/api/chats/${chat.id}/read`, () => new HttpResponse(null, { status: 204 })),
  )
  const conversation = within(await screen.findByRole('region', { name: 'Conversation with Marcus Webb' }))
  const box = await conversation.findByRole('textbox', { name: 'Message to Marcus Webb' })
  t.not(document.activeElement, box, 'opening a deal does not take the focus')
  await press('Message')
  t.equal(document.activeElement, box)
  fill('Message to Marcus Webb', 'When can you pick it up?')
  await press('Send')
  const log = within(conversation.getByRole('log'))
  await log.findByText('When can you pick it up?')
  await becomes(t, () => heard, [`${chat.id} When can you pick it up?`])
  const message = aMessage(marcus.id, 'Tomorrow at nine', 2)
  stored.push(message)
  act(() => messageClient().receive({ chatId: chat.id, rev: 2, seq: 2, message }))
  await log.findByText('Tomorrow at nine')
})

t.test('opens the chat only when the dealer wants to write the first message', async (t) => {
  const deal = aDeal()
  const chat = aChat()
  const chats: Chat[] = []
  const { network } = openPage(t, { deals: [deal], items: [], chats }, { path: `/deals/${deal.id}` })
  let opened = 0
  network.use(
    http.post('*/api/chats', () => {
      opened += 1
      chats.push(chat)
      return answer(Chat, chat)
    }),
    http.get(`*/api/chats/${chat.id}/messages`, () => answer(MessagesPage, pageOf([]))),
  )
  await says('You and Marcus Webb have not messaged each other yet.')
  t.equal(opened, 0)
  await press('Message Marcus Webb')
  const box = await screen.findByRole('textbox', { name: 'Message to Marcus Webb' })
  await becomes(t, () => document.activeElement === box, true)
  t.equal(opened, 1)
  t.same(messagingStore.get().windows, [], 'it opens no window in the dock')
})

t.test('shows a deal whose other party is suspended or gone, with what is true', async (t) => {
  const buyer = { id: marcus.id, name: 'Deleted dealer', dealershipName: '' }
  const may = { ...mayNothing, cancel: true }
  await t.test('suspended', async (t) => {
    const chat = aChat()
    const deal = aDeal({ may, absent: [{ side: 'buyer', is: 'unavailable' }], chatId: chat.id })
    openPage(t, { deals: [deal], items: [], chats: [chat] }, { path: `/deals/${deal.id}` })
    await says(/^Marcus Webb cannot use Lanewire right now\. You can wait for them/)
    t.ok(screen.getByText('On hold'))
    await says('Marcus Webb cannot receive messages right now.')
    t.equal(screen.queryByRole('textbox', { name: /^Message to/ }), null)
    for (const name of ['Approve', 'Message']) t.equal(screen.queryByRole('button', { name }), null, name)
    t.ok(screen.getByRole('button', { name: 'Cancel deal' }))
  })
  await t.test('deleted', async (t) => {
    const deal = dealDetailBetween(dana, buyer, { may, absent: [{ side: 'buyer', is: 'deleted' }] })
    openPage(t, { deals: [deal], items: [], chats: [] }, { path: `/deals/${deal.id}` })
    await says('The buyer is no longer on Lanewire. Cancel the deal to close it.')
    t.equal(screen.queryByRole('link', { name: 'Deleted dealer' }), null, 'it has no profile')
    await says('This dealer is no longer on Lanewire, so you cannot message them.')
    t.equal(screen.queryByRole('button', { name: /^Message/ }), null)
  })
})

t.test('previews a paper, and shows no preview of one that needs a plan', async (t) => {
  const paper = (kind: 'bill_of_sale' | 'odometer') => ({
    id: randomUUID(),
    kind,
    number: 'ODO-1',
    version: 2,
    ready: true,
    createdAt: at,
  })
  const deal = aDeal({
    status: 'approved',
    documents: [paper('bill_of_sale'), paper('odometer')],
    billOfSaleNeeds: 'The Premium Plan includes the Bill of Sale',
  })
  const { network } = openPage(t, { deals: [deal], items: [], chats: [] }, { path: `/deals/${deal.id}` })
  const text: DealPaper = {
    title: 'Mileage statement between dealers',
    reference: 'ODO-1, version 2',
    issued: 'Issued 2026-11-20 10:00:00 UTC',
    parties: [{ role: 'Seller', rows: [{ label: 'Dealership', value: dana.dealershipName }] }],
    vehicle: [{ label: 'Odometer', value: '48,210 miles' }],
    price: null,
    statement: 'It reads 48,210 miles.',
    signatures: [{ by: 'Seller, Torres Auto Group', name: 'Dana Torres', note: 'Signed electronically' }],
  }
  let isAway = true
  const asked: string[] = []
  network.use(
    http.get('*/api/deal/:id/documents/:documentId/text', ({ params }) => {
      asked.push(String(params['documentId']))
      return isAway ? refusal(400, 'Not now') : answer(DealPaper, text)
    }),
  )
  await press('Preview the Mileage statement between dealers')
  const dialog = within(await screen.findByRole('dialog', { name: 'Mileage statement between dealers' }))
  await dialog.findByText('The document could not be loaded')
  isAway = false
  fireEvent.click(dialog.getByRole('button', { name: 'Retry' }))
  await dialog.findByText('It reads 48,210 miles.')
  t.ok(dialog.getByText('ODO-1, version 2'))
  t.ok(dialog.getByRole('link', { name: 'PDF of the Mileage statement between dealers' }))
  t.same(new Set(asked), new Set([deal.documents[1]?.id]))
  t.equal(screen.queryByRole('button', { name: 'Preview the Bill of Sale' }), null)
})
