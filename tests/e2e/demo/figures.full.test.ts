import { sql } from 'kysely'
import t from 'tap'
import type { AdminDealsPage, AdminOverview, AdminUsersPage } from '#shared/schemas/admin.ts'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { Dashboard, SalesAnalytics } from '#shared/schemas/dashboard.ts'
import type {
  ConnectionRequest,
  CurrentUser,
  DealerProfile,
  DirectoryDealer,
  OwnNetwork,
  VehicleActivity,
} from '#shared/schemas/dealers.ts'
import type { Deal, DealDetail, Offer } from '#shared/schemas/deals.ts'
import type { Chat } from '#shared/schemas/messaging.ts'
import type { CasesPage } from '#shared/schemas/moderation.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import type { Promotion } from '#shared/schemas/promotions.ts'
import type { ReviewsPage } from '#shared/schemas/reviews.ts'
import type { ContactPage } from '#shared/schemas/site.ts'
import { contradictions } from '#server/db/seed/post-phrases.ts'
import { danaEmail } from '#server/features/auth/demo-accounts.ts'
import type { Caller } from '#tests/support/app.ts'
import { quickLogin, signInAs, startDemo } from '#tests/support/demo.ts'

const app = await startDemo(t, { DEMO_DIRECTOR: 'off' })
const { db } = app.server.ctx

const read = async <Body>(caller: Caller, path: string): Promise<Body> => (await caller.get<Body>(path)).body
const total = async (caller: Caller, path: string): Promise<number> =>
  Number((await caller.get(path)).headers.get('x-total-count'))

const newcomer = await quickLogin(app)
const dana = await signInAs(app, danaEmail)
const admin = await signInAs(app, 'admin@lanewire.example')

t.test('gives a Quick Login account connections, chats, posts, deals and offers at once', async (t) => {
  const [network, requests] = [
    await read<OwnNetwork>(newcomer, '/api/connections'),
    await read<ConnectionRequest[]>(newcomer, `/api/connections/requests/${newcomer.id}`),
  ]
  t.ok(
    network.mutual.length > 20 && network.connected.length === network.mutual.length + 1,
    'connections, and one request sent',
  )
  t.equal(requests.length, 3, 'three requests received')
  const chats = await read<Chat[]>(newcomer, '/api/chats')
  t.ok(chats.length >= 5 && chats.some(({ unreadCount }) => unreadCount > 0))
  const past = Date.now()
  t.ok(chats.flatMap(({ messages }) => messages).every(({ createdAt }) => Date.parse(createdAt) < past))
  const posts = await read<Post[]>(newcomer, `/api/inventory?dealerId=${newcomer.id}`)
  t.same(
    posts.map(({ status, availableCount }) => [status, availableCount]),
    [
      ['active', 1],
      ['active', 1],
      ['active', 0],
      ['active', 0],
      ['sold', 0],
    ],
  )
  t.ok(posts.every(({ photoUrls, viewCount }) => photoUrls.length === 4 && viewCount > 0))
  const deals = await read<Deal[]>(newcomer, '/api/deals')
  t.same(new Set(deals.map(({ status }) => status)), new Set(['pending', 'approved', 'completed']))
  const offers = await read<Offer[]>(newcomer, '/api/offers')
  t.same(
    new Set(offers.map(({ seller, turn }) => `${seller.id === newcomer.id} ${turn}`)),
    new Set(['true seller', 'false buyer']),
  )
  // The amounts mentioned in chats must match the offers.
  const said = chats.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n')
  for (const { amount } of offers)
    t.ok(said.includes(`$${amount.toLocaleString('en-US')}`), `a chat mentions the offer of ${amount}`)
  const done = deals.find(({ status, sellerId }) => status === 'completed' && sellerId === newcomer.id)
  const { signatures, steps } = await read<DealDetail>(newcomer, `/api/deal/${done?.id}`)
  t.equal(signatures.length, 4)
  const times = steps.map(({ at }) => at)
  t.same(times, times.toSorted(), 'the timeline is in order')
  const other = await quickLogin(app)
  t.not(other.id, newcomer.id, 'another visitor gets another account')
})

t.test('shows the same figures of a dealer on every screen', async (t) => {
  for (const [name, dealer] of Object.entries({ newcomer, dana })) {
    const me = await read<CurrentUser>(dealer, '/api/auth/me')
    const profile = await read<DealerProfile>(dealer, `/api/dealers/${dealer.id}`)
    const asSeen = await read<DealerProfile>(dealer === dana ? newcomer : dana, `/api/dealers/${dealer.id}`)
    const network = await read<OwnNetwork>(dealer, '/api/connections')
    const deals = await read<Deal[]>(dealer, '/api/deals')
    const posts = await read<Post[]>(dealer, `/api/inventory?dealerId=${dealer.id}`)
    const { activity, sales } = await read<Dashboard>(dealer, '/api/dashboard')
    const vehicles = await read<VehicleActivity>(dealer, '/api/dealers/activity')
    const reviews = await read<ReviewsPage>(dealer, `/api/dealers/${dealer.id}/reviews`)
    const connections = network.connected.length
    t.same(
      [me.connectionCount, profile.connectionCount, asSeen.connectionCount],
      [connections, connections, connections],
      `${name}: connections`,
    )
    t.equal(await total(dealer, '/api/dealers?view=mine'), connections, 'length of the connection list')
    const completed = deals.filter(({ status }) => status === 'completed').length
    t.same(
      [me.dealsCompleted, profile.stats.deals, asSeen.dealsCompleted],
      [completed, completed, completed],
      `${name}: deals`,
    )
    t.same([profile.rating, asSeen.rating, reviews.rating], [me.rating, me.rating, me.rating], `${name}: rating`)
    t.equal(profile.ratingCount, reviews.reviews.length, `${name}: review count`)
    const [row] = await read<DirectoryDealer[]>(
      dealer === dana ? newcomer : dana,
      `/api/dealers?name=${encodeURIComponent(me.name)}`,
    )
    t.match(row, { connectionCount: connections, dealsCompleted: completed, rating: me.rating }, `${name}: directory`)
    for (const [kind, status] of [
      ['sold', 'completed'],
      ['pending', 'pending'],
      ['near', 'approved'],
    ] as const) {
      const mine = deals.filter((deal) => deal.sellerId === dealer.id && deal.status === status).length
      t.same(
        [sales[kind], (await read<SalesAnalytics>(dealer, `/api/dashboard/sales/${kind}`)).count],
        [mine, mine],
        `${name}: ${kind}`,
      )
    }
    t.equal(
      vehicles.activeListings,
      posts.filter(({ status }) => status === 'active').length,
      `${name}: active listings`,
    )
    t.ok(activity.profileViews > 0 && activity.postImpressions > 0)
    const chats = await read<Chat[]>(dealer, '/api/chats?limit=100')
    const unread = chats.filter(({ unreadCount }) => unreadCount > 0)
    t.equal(await total(dealer, '/api/chats?unread=true'), unread.length, `${name}: unread chats`)
    const { items, unread: told } = await read<NotificationsPage>(dealer, '/api/notifications?limit=50')
    t.equal(items.filter((one) => !one.read).length, told, `${name}: unread notifications`)
  }
})

t.test("matches each post's text with its vehicles and its auction", async (t) => {
  const posts = (
    await Promise.all(
      ['', '&sort=for-sale', '&sort=auction-promo'].map((sort) =>
        read<Post[]>(dana, `/api/inventory?limit=100${sort}`),
      ),
    )
  ).flat()
  t.ok(posts.length > 150)
  for (const post of posts) {
    const [vehicle] = post.vehicles
    if (!vehicle) throw new Error(`${post.title} has no vehicle`)
    const miles = /(\d+)k\b/.exec(post.title)?.[1]
    if (miles !== undefined) t.equal(Math.round((vehicle.mileage ?? 0) / 1_000), Number(miles), post.title)
    const year = /\b(20\d\d)\b/.exec(post.title)?.[1]
    if (year !== undefined) t.equal(vehicle.year, Number(year), post.title)
    const words = `${post.title} ${post.description}`
    for (const [one, other] of contradictions)
      if (one.test(words) && other.test(words)) t.fail(`${String(one)} and ${String(other)}: ${words}`)
  }
})

t.test('matches the counts of posts with their auctions, bids, comments and reactions', async (t) => {
  const posts = await read<Post[]>(dana, '/api/inventory?limit=100&sort=auction-promo')
  const auctions = posts.filter(({ hasAuction }) => hasAuction)
  const live = await db.selectFrom('auctions').select('postId').where('status', '=', 'open').execute()
  const { rows } = await sql<{
    wrong: number
  }>`select count(*)::int as wrong from auctions a join posts p on p.id = a.post_id where p.bid_count <> a.bid_count`.execute(
    db,
  )
  t.equal(rows[0]?.wrong, 0, 'bid counts of card and auction agree')
  t.equal(new Set(auctions.map(({ id }) => id)).size, await total(dana, '/api/inventory?sort=auction-promo'))
  t.ok(
    live.length > 0 && live.every(({ postId }) => auctions.some(({ id }) => id === postId)),
    'the list includes all running auctions',
  )
  for (const { id, description } of new Map(auctions.map((post) => [post.id, post])).values()) {
    const auction = await read<Auction>(dana, `/api/inventory/${id}/auction`)
    t.equal(/no reserve|highest bid takes it/i.test(description), auction.reserve === 'none', description)
    const times = auction.bids.map(({ at }) => Date.parse(at))
    t.ok(
      times.every((at) => at >= Date.parse(auction.startsAt) && at <= Date.now()),
      'all bids are between the start and now',
    )
  }
  const detail = await read<PostDetail>(dana, `/api/inventory/${posts[0]?.id}`)
  t.equal(await total(dana, `/api/inventory/${detail.id}/comments`), detail.commentCount, 'comment count')
  const counters = await sql<{ wrong: number }>`
    select count(*)::int as wrong from posts p where comment_count <> (select count(*) from comments c where c.post_id = p.id and c.hidden_at is null and c.deleted_at is null)
      or view_count <> (select count(*) from post_views v where v.post_id = p.id)
      or like_count <> (select count(*) from reactions r where r.post_id = p.id and r.kind = 'like')
      or available_count <> (select count(*) from vehicles v where v.post_id = p.id and v.status = 'available')`.execute(
    db,
  )
  t.equal(counters.rows[0]?.wrong, 0, 'stored counters equal the real counts')
})

t.test('shows cases on every admin screen, with figures that match the lists and the audit log', async (t) => {
  const overview = await read<AdminOverview>(admin, '/api/admin/overview')
  const users = await read<AdminUsersPage>(admin, '/api/admin/users')
  const staff = await db.selectFrom('dealers').select('id').where('role', '<>', 'dealer').execute()
  t.equal(users.total - staff.length, overview.dealers)
  t.equal(
    (await read<AdminUsersPage>(admin, '/api/admin/users?state=unverified')).total,
    overview.unverifiedLicenses,
    'unverified licenses',
  )
  t.ok(overview.unverifiedLicenses >= 3)
  const open = await read<CasesPage>(admin, '/api/admin/moderation?state=open')
  const decided = await read<CasesPage>(admin, '/api/admin/moderation?state=decided')
  t.same([open.cases.length, open.counts.open], [overview.openReports, overview.openReports], 'open reports')
  t.ok(open.cases.length >= 3 && decided.cases.length >= 2)
  t.ok(
    decided.cases.every(({ decisions }) => decisions.length > 0),
    'each decision is in the log',
  )
  const { deals, counts } = await read<AdminDealsPage>(admin, '/api/admin/deals')
  t.equal(counts.pending, overview.pendingDeals, 'deals to review')
  t.ok(counts.rejected > 0 && counts.approved > 0 && deals.length > 0)
  const { messages, waiting } = await read<ContactPage>(admin, '/api/admin/contact-messages?state=waiting')
  t.same([messages.length, waiting], [overview.waitingMessages, overview.waitingMessages], 'contact messages')
  const today = new Date().toISOString().slice(0, 10)
  const running = (await read<Promotion[]>(admin, '/api/admin/promotions')).filter(
    ({ isActive, startDate, endDate }) => isActive && startDate <= today && today <= endDate,
  )
  t.equal(running.length, overview.activePromotions, 'running promotions')
  t.ok(running.length > 0)
  for (const [action, count] of [
    ['deal.reject', counts.rejected],
    ['deal.approve', counts.approved],
  ] as const) {
    const { entries } = await read<AuditPage>(admin, `/api/admin/audit?action=${action}`)
    t.equal(entries.length, Math.min(count, 50), action)
  }
  for (const action of ['license', 'report', 'promotion', 'contact', 'newsletter', 'incident'])
    t.ok((await read<AuditPage>(admin, `/api/admin/audit?action=${action}`)).entries.length > 0, action)
})
