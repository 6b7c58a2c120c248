import { sql } from 'kysely'
import { marcusEmail, opsEmail } from '#server/features/auth/demo-accounts.ts'
import type { Db } from '#server/platform/database/db.ts'

export interface StepsRow {
  bid: boolean
  answered: boolean
  posted: boolean
  queues: boolean
  secondId: string
  secondName: string
  secondEmail: string
}

/** Returns the steps done since this session began. Undefined for staff, real dealers and the second demo dealer. */
export async function findSteps(db: Db, dealerId: string, sessionHash: Buffer): Promise<StepsRow | undefined> {
  const { rows } = await sql<StepsRow>`
    select exists (select from bids b where b.bidder_id = me.id and b.at > s.created_at) as bid,
      exists (select from messages m join chat_members c on c.chat_id = m.chat_id and c.dealer_id = second.id
        where m.sender_id = me.id and m.created_at > s.created_at)
      or exists (select from deal_steps d join offers o on o.id = d.offer_id
        where o.seller_id = me.id and o.buyer_id = second.id and d.actor_id = me.id and d.at > s.created_at
          and d.kind in ('accepted', 'countered', 'declined')) as answered,
      exists (select from posts p join vehicles v on v.post_id = p.id
        where p.dealer_id = me.id and p.created_at > s.created_at and v.vin is not null) as posted,
      exists (select from sessions o join dealers d on d.id = o.dealer_id
        where d.email = ${opsEmail} and o.created_at > s.created_at and o.address is not distinct from s.address) as queues,
      second.id as second_id, second.name as second_name, second.email as second_email
    from dealers me
    join sessions s on s.dealer_id = me.id and s.hash = ${sessionHash}
    join dealers second on second.email = ${marcusEmail} and second.demo and second.deleted_at is null
    where me.id = ${dealerId} and me.demo and me.role = 'dealer' and me.id <> second.id`.execute(db)
  return rows[0]
}
