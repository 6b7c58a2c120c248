import { sql } from 'kysely'
import type { IssueInput, NewsletterIssue } from '#shared/schemas/site.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

const select = (db: Db) =>
  db
    .selectFrom('newsletterIssues as issue')
    .select(['issue.id', 'issue.subject', 'issue.text', 'issue.updatedAt', 'issue.sentAt'])
    .select([
      sql<number>`(select count(*)::int from newsletter_deliveries where issue_id = issue.id)`.as('recipients'),
      sql<number>`(select count(sent_at)::int from newsletter_deliveries where issue_id = issue.id)`.as('delivered'),
    ])

function toIssue({
  updatedAt,
  sentAt,
  ...row
}: Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>): NewsletterIssue {
  return { ...row, updatedAt: updatedAt.toISOString(), sentAt: sentAt?.toISOString() ?? null }
}

export async function listIssues(db: Db, limit: number): Promise<NewsletterIssue[]> {
  const rows = await select(db).orderBy('issue.id', 'desc').limit(limit).execute()
  return rows.map(toIssue)
}

export async function findIssue(db: Db, id: string): Promise<NewsletterIssue | undefined> {
  const row = await select(db).where('issue.id', '=', id).executeTakeFirst()
  return row && toIssue(row)
}

export async function insertIssue(tx: Tx, { subject, text }: IssueInput): Promise<string> {
  const { id } = await tx
    .insertInto('newsletterIssues')
    .values({ subject, text })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function lockIssue(tx: Tx, id: string) {
  return tx.selectFrom('newsletterIssues').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateIssue(tx: Tx, id: string, { subject, text }: IssueInput): Promise<void> {
  await tx
    .updateTable('newsletterIssues')
    .set({ subject, text, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

export async function updateSent(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('newsletterIssues')
    .set({ sentAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

export async function removeIssue(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('newsletterIssues').where('id', '=', id).execute()
}

/** Adds a delivery for every confirmed subscriber who has none for this issue. Returns the ids of these subscribers. */
export async function insertDeliveries(tx: Tx, issueId: string): Promise<string[]> {
  const rows = await tx
    .insertInto('newsletterDeliveries')
    .columns(['issueId', 'subscriberId'])
    .expression((eb) =>
      eb
        .selectFrom('listSubscribers')
        .select([sql<string>`${issueId}::uuid`.as('issueId'), 'id'])
        .where('list', '=', 'newsletter')
        .where('confirmedAt', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('subscriberId')
    .execute()
  return rows.map(({ subscriberId }) => subscriberId)
}

export async function isWaiting(db: Db, issueId: string, subscriberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('newsletterDeliveries')
    .select('issueId')
    .where('issueId', '=', issueId)
    .where('subscriberId', '=', subscriberId)
    .where('sentAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateDelivered(tx: Tx, issueId: string, subscriberId: string): Promise<void> {
  await tx
    .updateTable('newsletterDeliveries')
    .set({ sentAt: sql<Date>`clock_timestamp()` })
    .where('issueId', '=', issueId)
    .where('subscriberId', '=', subscriberId)
    .where('sentAt', 'is', null)
    .execute()
}

export async function removeDelivery(tx: Tx, issueId: string, subscriberId: string): Promise<void> {
  await tx
    .deleteFrom('newsletterDeliveries')
    .where('issueId', '=', issueId)
    .where('subscriberId', '=', subscriberId)
    .where('sentAt', 'is', null)
    .execute()
}
