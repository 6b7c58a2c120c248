import { sql } from 'kysely'
import { adminEmail, opsEmail } from '#server/features/auth/demo-accounts.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { readerCases, type Cases } from './admin-cases.ts'
import type { StaffStage } from './staff-acts.ts'
import { idAt } from './ids.ts'
import { insertMany } from './insert-many.ts'
import { dayMs, findKnown } from './known-dealers.ts'
import type { Network } from './network.ts'
import { seededRandom } from './random.ts'
import type { Seeder } from './seeder.ts'

const deskSeed = 19_530
const hourMs = 3_600_000

/** Fills the admin pages with open and decided cases. The audit log gets an entry for every decision. */
export const seedAdminPages: Seeder = async (tx, network, now) => {
  const random = seededRandom(deskSeed)
  const { dealers } = network
  const desk: StaffStage = {
    random,
    now,
    admin: findKnown(dealers, adminEmail),
    ops: findKnown(dealers, opsEmail),
    others: dealers.filter(({ role }) => role === 'dealer').slice(20),
    acts: [],
    ago: (hours) => new Date(now.getTime() - hours * hourMs),
  }
  await askForLicenses(tx, desk)
  await insertCases(tx, readerCases(desk, network))
  await decideReviews(tx, desk, network)
  await writePromotions(tx, desk)
  await writeContacts(tx, desk)
  await writeNewsletter(tx, desk)
  await recordIncidents(tx, desk)
  await insertMany(
    tx,
    'audit_log',
    desk.acts
      .toSorted((one, other) => one.at.getTime() - other.at.getTime())
      .map(({ at, by, subject, reason = '', before, after, action }) => ({
        id: idAt(random, at),
        at,
        actorId: by.id,
        actorName: by.name,
        action,
        subjectKind: subject.kind,
        subjectId: subject.id,
        subjectName: subject.name,
        reason,
        before: before ?? null,
        after: after ?? null,
        requestId: idAt(random, at),
      })),
  )
}

const unreadable = 'The expiry date on the scan cannot be read. Please send it again.'

async function askForLicenses(tx: Tx, { others, ago, admin, acts }: StaffStage): Promise<void> {
  const [rejected, ...waiting] = others.slice(0, 4)
  for (const [index, { id }] of waiting.entries())
    await tx
      .updateTable('dealers')
      .set({ licenseVerifiedAt: null, licenseSubmittedAt: ago(4 + index * 21) })
      .where('id', '=', id)
      .execute()
  if (!rejected) return
  const row = await tx
    .updateTable('dealers')
    .set({
      licenseVerifiedAt: null,
      licenseSubmittedAt: ago(80),
      licenseRejectedAt: ago(71),
      licenseRejectedReason: unreadable,
    })
    .where('id', '=', rejected.id)
    .returning(['licenseNumber', 'licenseState', 'licenseExpiresOn'])
    .executeTakeFirstOrThrow()
  const { licenseNumber: number, licenseState: state, licenseExpiresOn: expiresOn } = row
  acts.push({
    at: ago(71),
    by: admin,
    action: 'license.reject',
    subject: { kind: 'user', id: rejected.id, name: rejected.name },
    reason: unreadable,
    before: { number, state, expiresOn, status: 'waiting' },
    after: { status: 'rejected' },
  })
}

async function insertCases(tx: Tx, { comments, reports }: Cases): Promise<void> {
  await insertMany(tx, 'comments', comments)
  for (const { postId, hiddenAt } of comments)
    if (hiddenAt === null)
      await sql`update posts set comment_count = comment_count + 1 where id = ${postId}`.execute(tx)
  await insertMany(tx, 'reports', reports)
}

async function decideReviews(tx: Tx, { admin, acts, ago }: StaffStage, { dealers }: Network): Promise<void> {
  const names = new Map(dealers.map(({ id, name }) => [id, name]))
  const missing = 'The mileage in the deal differs from the post. Correct it and submit the deal again.'
  await sql`
    update deals set review_status = 'rejected', review_reason = ${missing}, reviewed_at = least(review_submitted_at + interval '5 hours', now())
    where id in (select id from deals where review_submitted_at is not null and review_status = 'pending' and status = 'pending'
      and review_submitted_at < ${ago(30)} order by review_submitted_at desc, vin limit 2)`.execute(tx)
  const { rows } = await sql<{
    id: string
    sellerId: string
    buyerId: string
    vehicle: string
    verdict: 'approved' | 'rejected'
    reason: string
    at: Date
  }>`
    select id, seller_id, buyer_id, concat_ws(' ', year, make, model) as vehicle, review_status as verdict, review_reason as reason,
      reviewed_at as at
    from deals where review_status <> 'pending'`.execute(tx)
  await sql`
    insert into deal_steps (deal_id, actor_id, kind, at)
    select id, seller_id, 'submitted', review_submitted_at from deals where review_submitted_at is not null
    union all
    select id, ${admin.id}, 'review_' || review_status, reviewed_at from deals where review_status <> 'pending'`.execute(
    tx,
  )
  for (const { id, sellerId, buyerId, vehicle, verdict, reason, at } of rows)
    acts.push({
      at,
      by: admin,
      action: verdict === 'approved' ? 'deal.approve' : 'deal.reject',
      subject: { kind: 'deal', id, name: `${vehicle}: ${names.get(sellerId) ?? ''} to ${names.get(buyerId) ?? ''}` },
      reason,
      before: { review: 'pending' },
      after: { review: verdict },
    })
}

const day = (at: Date) => at.toISOString().slice(0, 10)

async function writePromotions(tx: Tx, { random, admin, acts, ago }: StaffStage): Promise<void> {
  const plans = [
    {
      title: 'Try the market position for a month',
      message: 'Add the Premium Add-on in Plan Management to see how your prices compare with similar vehicles.',
      type: 'promotion',
      targetAudience: 'basic',
      from: 6,
      days: 30,
    },
    {
      title: 'Titles by courier',
      message: 'Agree in the chat how the title is shipped, and send the other dealer the tracking number.',
      type: 'info',
      targetAudience: 'all',
      from: 52,
      days: 14,
    },
    {
      title: 'Transport spots to the Southeast',
      message: 'A carrier has open spots on Thursdays. Ask in your deal’s chat.',
      type: 'success',
      targetAudience: 'premium',
      from: 19,
      days: 40,
      stoppedAfter: 4,
    },
  ] as const
  const rows = plans.map(({ from, days, ...plan }) => {
    const at = ago(from * 24)
    const [startDate, endDate] = [day(at), day(new Date(at.getTime() + days * dayMs))]
    const stoppedAfter = 'stoppedAfter' in plan ? plan.stoppedAfter : undefined
    const { title, message, type, targetAudience } = plan
    const id = idAt(random, at)
    const words = { id, title, message, type, targetAudience, startDate, endDate }
    const subject = { kind: 'promotion', id, name: title }
    acts.push({ at, by: admin, action: 'promotion.create', subject, after: { ...words, isActive: true, version: 1 } })
    const stoppedAt = stoppedAfter === undefined ? undefined : new Date(at.getTime() + stoppedAfter * dayMs)
    if (stoppedAt)
      acts.push({
        at: stoppedAt,
        by: admin,
        action: 'promotion.pause',
        subject,
        before: { isActive: true },
        after: { isActive: false },
      })
    return {
      ...words,
      isActive: stoppedAt === undefined,
      version: stoppedAt ? 2 : 1,
      createdAt: at,
      updatedAt: stoppedAt ?? at,
    }
  })
  await insertMany(tx, 'promotions', rows)
}

const written = [
  {
    hours: 3,
    topic: 'sales',
    message: 'We have three rooftops in Georgia. Can one account post for all of them, and can each manager sign in?',
    handled: undefined,
  },
  {
    hours: 26,
    topic: 'api',
    message: 'Our inventory system can push posts. We would like API access for two stores to begin with.',
    handled: undefined,
  },
  {
    hours: 61,
    topic: 'general',
    message: 'Is there a way to move our reviews when the dealership changes its name?',
    handled: 9,
  },
] as const

async function writeContacts(tx: Tx, { random, others, admin, acts, ago }: StaffStage): Promise<void> {
  const rows = written.map(({ hours, topic, message, handled }, index) => {
    const writer = others[30 + index] ?? admin
    const at = ago(hours)
    const id = idAt(random, at)
    const handledAt = handled === undefined ? null : new Date(at.getTime() + handled * hourMs)
    if (handledAt)
      acts.push({
        at: handledAt,
        by: admin,
        action: 'contact.handle',
        subject: { kind: 'contact', id, name: writer.name },
        before: { handled: false },
        after: { handled: true },
      })
    const { name, email, dealershipName: company, dealershipType } = writer
    const sender = { name, email, company, dealershipType, dealerId: writer.id }
    return { id, ...sender, topic, message, createdAt: at, handledAt, handledBy: handledAt && admin.id }
  })
  await insertMany(tx, 'contact_messages', rows)
}

const subscribersMax = 14

async function writeNewsletter(tx: Tx, { random, others, admin, acts, ago }: StaffStage): Promise<void> {
  const subscribers = others.slice(40, 40 + subscribersMax).map(({ email }, index) => {
    const createdAt = ago((20 + index * 3) * 24)
    return { id: idAt(random, createdAt), list: 'newsletter', email, createdAt, confirmedAt: createdAt }
  })
  const issues = [
    {
      days: 9,
      sent: true,
      subject: 'What moved on the lane in November',
      text: 'Trucks under $30,000 moved quickest this month, and posts that stated the condition got twice as many questions.',
    },
    {
      days: 1,
      sent: false,
      subject: 'Deal documents without paper',
      text: 'Both sides sign the bill of sale and the mileage statement inside the deal. Here is how it looks.',
    },
  ].map(({ days, sent, subject, text }) => {
    const createdAt = ago(days * 24 + 2)
    const sentAt = sent ? ago(days * 24) : null
    const id = idAt(random, createdAt)
    const about = { kind: 'newsletter', id, name: subject }
    acts.push({ at: createdAt, by: admin, action: 'newsletter.create', subject: about, after: { subject, text } })
    const after = { recipients: subscribers.length }
    if (sentAt) acts.push({ at: sentAt, by: admin, action: 'newsletter.send', subject: about, after })
    return { id, subject, text, createdAt, updatedAt: createdAt, sentAt }
  })
  await insertMany(tx, 'list_subscribers', subscribers)
  await insertMany(tx, 'newsletter_issues', issues)
  await insertMany(
    tx,
    'newsletter_deliveries',
    issues.flatMap(({ id: issueId, sentAt }) =>
      sentAt === null ? [] : subscribers.map(({ id: subscriberId }) => ({ issueId, subscriberId, sentAt })),
    ),
  )
}

async function recordIncidents(tx: Tx, { ops, acts }: StaffStage): Promise<void> {
  const incidents = await tx.selectFrom('incidents').selectAll().execute()
  for (const { id, title, text, planned, startedAt, endedAt } of incidents) {
    const subject = { kind: 'incident', id, name: title }
    const after = { id, title, text, planned, startedAt: startedAt.toISOString(), endedAt: null }
    acts.push({ at: startedAt, by: ops, action: 'incident.create', subject, after })
    if (endedAt)
      acts.push({
        at: endedAt,
        by: ops,
        action: 'incident.resolve',
        subject,
        before: { endedAt: null },
        after: { endedAt: endedAt.toISOString() },
      })
  }
}
