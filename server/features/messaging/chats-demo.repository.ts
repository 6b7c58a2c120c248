import { sql, type Insertable } from 'kysely'
import type { ChatMembers, Chats, Messages } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'

export async function countDemoDealers(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('dealers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('demo', '=', true)
    .where('email', 'not like', 'demo-%')
    .executeTakeFirstOrThrow()
  return count
}

/** Lists demo dealers whom nobody is signed in as and who have no chat with this dealer. Demo dealers with posts come first. */
export async function listDemoPartners(tx: Tx, dealerId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from dealers d
    where d.demo and d.id <> ${dealerId} and d.role = 'dealer' and not ${isSuspended('d')} and d.deleted_at is null
      and d.email not like 'demo-%'
      and not exists (select from sessions s where s.dealer_id = d.id and s.expires_at > now())
      and not exists (select from chats c where (c.low_dealer_id, c.high_dealer_id)
        in ((least(d.id, ${dealerId}::uuid), greatest(d.id, ${dealerId}::uuid))))
    order by exists (select from posts p where p.dealer_id = d.id) desc, d.id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The dealer is a demo dealer whom nobody is signed in as. */
const isUnusedDemoDealer = (alias: string) => sql<boolean>`${sql.ref(`${alias}.demo`)}
  and not exists (select from sessions s where s.dealer_id = ${sql.ref(`${alias}.id`)} and s.expires_at > now())`

export interface Writing {
  senderId: string
  otherId: string
}

/** True if the recipient is a simulated dealer and the sender is a person. Simulated dealers answer only people. */
export async function isUnplayed(db: Db, { senderId, otherId }: Writing): Promise<boolean> {
  const { rows } = await sql<{ answers: boolean }>`
    select ${isUnusedDemoDealer('other')} and not (${isUnusedDemoDealer('sender')}) as answers
    from dealers sender, dealers other where sender.id = ${senderId} and other.id = ${otherId}`.execute(db)
  return rows[0]?.answers === true
}

export interface PastChats {
  chats: Insertable<Chats>[]
  members: Insertable<ChatMembers>[]
  messages: Insertable<Messages>[]
}

export async function insertPastChats(tx: Tx, { chats, members, messages }: PastChats): Promise<void> {
  await tx.insertInto('chats').values(chats).execute()
  await tx.insertInto('chatMembers').values(members).execute()
  await tx.insertInto('messages').values(messages).execute()
}
