import { sql } from 'kysely'
import { documentKinds } from '#shared/schemas/deals.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { danaEmail } from '#server/features/auth/demo-accounts.ts'
import { insertMany } from './insert-many.ts'
import { findKnown } from './known-dealers.ts'
import type { DemoDeal } from './network-deals.ts'
import { seededRandom, type Random } from './random.ts'
import type { Seeder } from './seeder.ts'

const reviewSeed = 4_711
const hourMs = 3_600_000

const praise = [
  'Vehicle was exactly as described, title came the same day.',
  'Paid within the hour and picked up on time. Would deal again.',
  'Straight answers about the condition before I bought.',
  'Photos matched the truck. Paperwork was ready when the driver arrived.',
  'Easy to reach, no surprises at pickup.',
  'Good communication from offer to title.',
]
const mixed = [
  'Fine deal, the second key took a week to arrive.',
  'Vehicle as described. Pickup was a day later than agreed.',
  'Price was fair, answers could have been quicker.',
]

/** Writes timelines, documents and reviews. Sets each dealer's rating to the mean of the reviews about that dealer. */
export const seedDeals: Seeder = async (tx, { deals, dealers }, now) => {
  const random = seededRandom(reviewSeed)
  const completed = deals.filter(({ status }) => status === 'completed')
  await insertMany(
    tx,
    'deal_steps',
    deals.flatMap((deal) => stepsOf(deal, now)),
  )
  await insertMany(
    tx,
    'reviews',
    completed.flatMap((deal) => reviewsOf(random, deal, now)),
  )
  await sql`
    update dealers set rating = mean.rating, rating_count = coalesce(mean.count, 0)
    from dealers every left join (
      select subject_id, round(avg(rating), 2) as rating, count(*)::int as count from reviews group by subject_id
    ) mean on mean.subject_id = every.id where every.id = dealers.id`.execute(tx)
  const dana = findKnown(dealers, danaEmail)
  await submitForReview(tx, dana.id)
  const isDanas = ({ sellerId, buyerId }: DemoDeal) => [sellerId, buyerId].includes(dana.id)
  const signed = completed.filter(isDanas)
  await signPapers(tx, signed, new Map(dealers.map(({ id, name }) => [id, name])))
  await orderPapers(tx, [...deals.filter(({ status }) => status === 'approved'), ...signed])
}

async function signPapers(tx: Tx, deals: readonly DemoDeal[], names: ReadonlyMap<string, string>): Promise<void> {
  const signatures = deals.flatMap(({ id, sellerId, buyerId, createdAt, completedAt }) =>
    [sellerId, buyerId].flatMap((dealerId, index) =>
      documentKinds.map((kind) => {
        const [started, ended] = [createdAt.getTime(), (completedAt ?? createdAt).getTime()]
        // Sign after the approval, which is halfway between the agreement and the completion.
        const signedAt = new Date(started + ((ended - started) * (6 + index)) / 8)
        return { dealId: id, kind, dealerId, name: names.get(dealerId) ?? 'A dealer', address: '', signedAt }
      }),
    ),
  )
  await insertMany(tx, 'deal_signatures', signatures)
  await insertMany(
    tx,
    'deal_steps',
    signatures.map(({ dealId, dealerId, kind, signedAt }) => ({
      dealId,
      actorId: dealerId,
      kind: `signed_${kind}`,
      amountCents: null,
      at: signedAt,
    })),
  )
}

/** Submits about half of the open deals, and all of Dana's, for review. Approves about a quarter of the recently completed deals. */
async function submitForReview(tx: Tx, danaId: string): Promise<void> {
  await sql`
    update deals set review_submitted_at = created_at
    where status in ('pending', 'approved')
      and (abs(hashtext(id::text)) % 2 = 0 or ${danaId}::uuid in (seller_id, buyer_id))`.execute(tx)
  await sql`
    update deals set review_submitted_at = created_at, review_status = 'approved', reviewed_at = updated_at
    where status = 'completed' and created_at > now() - interval '45 days' and abs(hashtext(id::text)) % 4 = 0`.execute(
    tx,
  )
}

function stepsOf({ id, buyerId, sellerId, status, priceCents, createdAt, completedAt }: DemoDeal, now: Date) {
  const started = createdAt.getTime()
  const ended = completedAt?.getTime() ?? Math.min(started + 2 * hourMs, now.getTime())
  const opened = { dealId: id, actorId: sellerId, kind: 'accepted', amountCents: priceCents, at: createdAt }
  const approved = {
    dealId: id,
    actorId: sellerId,
    kind: 'approved',
    amountCents: null,
    at: new Date((started + ended) / 2),
  }
  if (status === 'pending') return [opened]
  if (status === 'cancelled') return [opened, { ...approved, kind: 'cancelled' }]
  if (status === 'approved') return [opened, approved]
  return [opened, approved, { ...approved, actorId: buyerId, kind: 'completed', at: new Date(ended) }]
}

function reviewsOf(random: Random, { id, buyerId, sellerId, createdAt, completedAt }: DemoDeal, now: Date) {
  const review = (authorId: string, subjectId: string) => {
    const good = random.chance(0.8)
    const isBetter = random.chance(0.7)
    return {
      dealId: id,
      authorId,
      subjectId,
      rating: (good ? 4 : 3) + (isBetter ? 1 : 0),
      content: random.pick(good ? praise : mixed),
      createdAt: new Date(Math.min(now.getTime(), (completedAt ?? createdAt).getTime() + 24 * hourMs)),
    }
  }
  return [review(buyerId, sellerId), ...(random.chance(0.8) ? [review(sellerId, buyerId)] : [])]
}

/** Queues deal documents. The worker renders their PDFs, as for any deal. */
async function orderPapers(tx: Tx, deals: readonly DemoDeal[]): Promise<void> {
  await sql`
    with papers as (
      insert into deal_documents (deal_id, kind, number, version)
      select deal.id, kind.name, kind.prefix || to_char(now(), 'YYYY') || '-' || lpad(nextval('deal_document_numbers')::text, 6, '0'), 1
      from unnest(${deals.map(({ id }) => id)}::uuid[]) as deal(id),
        (values ('bill_of_sale', 'BOS-'), ('odometer', 'ODO-')) as kind(name, prefix)
      returning id)
    insert into outbox (kind, name, payload, unique_key)
    select 'job', 'deal.document', jsonb_build_object('documentId', id), id::text from papers`.execute(tx)
}
