import { sql, type RawBuilder } from 'kysely'
import type { ReportKind } from '#shared/moderation.ts'
import type { ContextLine, ModerationCase } from '#shared/schemas/moderation.ts'
import type { Db } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'

const around = 3

export type Subject = Pick<
  ModerationCase,
  'author' | 'title' | 'text' | 'photoUrl' | 'attachment' | 'path' | 'hidden' | 'deleted' | 'context'
> & { id: string; createdAt: Date }

const author = sql`jsonb_build_object('id', d.id, 'name', d.name, 'dealershipName', d.dealership_name, 'avatar', d.avatar,
  'suspended', ${isSuspended('d')}) as author`

const nothing = sql`'[]'::jsonb as context`

const context = sql`(
  select jsonb_agg(jsonb_build_object('id', near.id, 'author', writer.name, 'createdAt', near.created_at,
    'text', coalesce(nullif(near.content, ''), near.attachment_name, 'Attachment'), 'isSubject', near.id = m.id)
    order by near.seq)
  from messages near join dealers writer on writer.id = near.sender_id
  where near.chat_id = m.chat_id and near.seq between m.seq - ${around} and m.seq + ${around}) as context`

const photo = (postId: RawBuilder<unknown>) =>
  sql`(select url from photos where post_id = ${postId} order by position limit 1)`

/** Attachments of surrounding messages stay private. */
const attachment = (table: string, objectId: RawBuilder<unknown>) => {
  const url = sql.ref(`${table}.attachment_url`)
  return sql`case when ${url} is not null then jsonb_build_object('url', ${url}, 'name', ${sql.ref(`${table}.attachment_name`)},
    'isPicture', coalesce((select content_type like 'image/%' from objects where id = ${objectId}), false)) end as attachment`
}
const noAttachment = sql`null::jsonb as attachment`

/** These queries check no permissions, because only moderators run them. */
const selects: Record<ReportKind, RawBuilder<unknown>> = {
  post: sql`select p.id, ${author}, p.title, p.description as text, ${photo(sql`p.id`)} as photo_url,
      '/post/' || p.id as path, p.created_at, p.hidden_at is not null as hidden, p.deleted_at is not null as deleted, ${noAttachment}, ${nothing}
    from posts p join dealers d on d.id = p.dealer_id where p.id`,
  comment: sql`select c.id, ${author}, p.title, c.content as text, null as photo_url, '/post/' || p.id as path,
      c.created_at, c.hidden_at is not null as hidden, coalesce(p.deleted_at, c.deleted_at) is not null as deleted,
      ${attachment('c', sql`c.attachment_object`)}, ${nothing}
    from comments c join posts p on p.id = c.post_id join dealers d on d.id = c.dealer_id where c.id`,
  message: sql`select m.id, ${author}, '' as title, coalesce(nullif(m.content, ''), m.attachment_name, 'Attachment') as text,
      null as photo_url, null as path, m.created_at, m.hidden_at is not null as hidden, false as deleted,
      ${attachment('m', sql`right(m.attachment_url, 36)::uuid`)}, ${context}
    from messages m join dealers d on d.id = m.sender_id where m.id`,
  dealer: sql`select d.id, ${author}, '' as title, coalesce(d.description, '') as text, null as photo_url,
      '/dealers/' || d.id as path, d.created_at, false as hidden, d.deleted_at is not null as deleted, ${noAttachment}, ${nothing}
    from dealers d where d.id`,
}

/** Returns reported items in their current state, even if they are hidden. */
export async function listSubjectsOf(db: Db, kind: ReportKind, ids: string[]): Promise<Subject[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Subject>`${selects[kind]} = any(${ids}::uuid[])`.execute(db)
  return rows.map((row) => ({ ...row, context: row.context.map(toLine) }))
}

const toLine = (line: ContextLine): ContextLine => ({ ...line, createdAt: new Date(line.createdAt).toISOString() })

/** Queries for an item's author. They return no row if this dealer may not see the item. */
const visible: Record<ReportKind, (id: string, readerId: string) => RawBuilder<unknown>> = {
  post: (id) => sql`select dealer_id as author_id from posts
    where id = ${id} and deleted_at is null and hidden_at is null`,
  comment: (id) => sql`select c.dealer_id as author_id from comments c join posts p on p.id = c.post_id
    where c.id = ${id} and c.hidden_at is null and c.deleted_at is null and p.deleted_at is null and p.hidden_at is null`,
  message: (id, readerId) => sql`select m.sender_id as author_id from messages m
    join chat_members mine on mine.chat_id = m.chat_id and mine.dealer_id = ${readerId}
    where m.id = ${id} and m.hidden_at is null`,
  dealer: (id) => sql`select id as author_id from dealers where id = ${id} and deleted_at is null`,
}

export async function findAuthorOf(
  db: Db,
  kind: ReportKind,
  id: string,
  readerId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ authorId: string }>`${visible[kind](id, readerId)}`.execute(db)
  return rows[0]?.authorId
}
