import type pg from 'pg'
import type { BenchRow } from './bench.ts'

/** A bid that the server confirmed to the bidder. */
export interface Acknowledged {
  postId: string
  bidderId: string
  key: string
  amount: number
}

interface Bid {
  postId: string
  seq: number
  bidderId: string
  cents: number
}

interface Ended {
  postId: string
  status: string
  leaderId: string | null
  cents: number | null
  late: number
  deals: number
  rightDeals: number
}

const centsPerDollar = 100

async function readBids(client: pg.Client, posts: string[]): Promise<Bid[]> {
  const { rows } = await client.query<Bid>(
    `select post_id as "postId", seq::int, bidder_id as "bidderId", amount_cents::int as cents
     from bids where post_id = any($1) order by post_id, seq`,
    [posts],
  )
  return rows
}

async function readEnded(client: pg.Client, posts: string[]): Promise<Ended[]> {
  const { rows } = await client.query<Ended>(
    `select a.post_id as "postId", a.status, a.leader_id as "leaderId", a.amount_cents::int as cents,
       (select count(*)::int from bids b where b.post_id = a.post_id and b.at >= a.ends_at) as late,
       (select count(*)::int from deals d where d.post_id = a.post_id) as deals,
       (select count(*)::int from deals d where d.post_id = a.post_id and d.buyer_id = a.leader_id
          and d.price_cents = a.amount_cents) as "rightDeals"
     from auctions a where a.post_id = any($1)`,
    [posts],
  )
  return rows
}

function byPost<Row extends { postId: string }>(rows: Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.postId, [...(groups.get(row.postId) ?? []), row])
  return groups
}

const count = <Row>(rows: Row[], wrong: (row: Row) => boolean): number => rows.filter(wrong).length

/** Compares stored and confirmed bids. Bidders retry until they get a response, so a stored bid without a confirmation is a duplicate. */
export async function checkHistory(client: pg.Client, posts: string[], told: Acknowledged[]): Promise<BenchRow[]> {
  const bids = await readBids(client, posts)
  const ended = await readEnded(client, posts)
  const groups = byPost(bids)
  const name = (postId: string, bidderId: string, cents: number) => `${postId} ${bidderId} ${cents}`
  const stored = new Set(bids.map(({ postId, bidderId, cents }) => name(postId, bidderId, cents)))
  const lost = count(
    told,
    ({ postId, bidderId, amount }) => !stored.has(name(postId, bidderId, Math.round(amount * centsPerDollar))),
  )
  const before = ({ postId, seq }: Bid) => groups.get(postId)?.[seq - 2]
  const misordered = count(bids, (bid) => groups.get(bid.postId)?.[bid.seq - 1] !== bid)
  const falling = count(bids, (bid) => bid.seq > 1 && (before(bid)?.cents ?? Infinity) >= bid.cents)
  const last = (postId: string) => groups.get(postId)?.at(-1)
  const row = (what: string, counted: number, wrong: number): BenchRow => ({ what, counted, wrong })
  return [
    row('bids acknowledged; wrong: lost', told.length, lost),
    row('bids stored; wrong: stored twice or never acknowledged', bids.length, bids.length - (told.length - lost)),
    row('bids out of order or with a number missing', bids.length, misordered),
    row('bids not above the one before', bids.length, falling),
    row(
      'auctions ended; wrong: not closed',
      ended.length,
      count(ended, ({ status }) => status === 'open'),
    ),
    row(
      'auctions whose price or leader is not the last bid’s',
      ended.length,
      count(ended, ({ postId, cents, leaderId }) => {
        const highest = last(postId)
        return (highest?.cents ?? null) !== cents || (highest?.bidderId ?? null) !== leaderId
      }),
    ),
    row(
      'auctions with a bid after the end',
      ended.length,
      count(ended, ({ late }) => late > 0),
    ),
    row(
      'auctions without exactly one deal, at the price, with the leader',
      ended.length,
      count(ended, ({ leaderId, deals, rightDeals }) =>
        leaderId === null ? deals > 0 : deals !== 1 || rightDeals !== 1,
      ),
    ),
  ]
}
