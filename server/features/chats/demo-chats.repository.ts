import { sql } from 'kysely'
import type { Tx } from '#server/platform/db.ts'
import { isSuspended } from '#server/platform/suspension.ts'

const people = [
  ['Priya Nair', 'Lakefront Auto Exchange', 'Milwaukee', 'WI'],
  ['Luis Herrera', 'Herrera & Sons', 'Amarillo', 'TX'],
  ['Marcus Webb', 'Webb Bros Auto Wholesale', 'Tulsa', 'OK'],
  ['Ray Okafor', 'Gulf Coast Wholesale', 'Mobile', 'AL'],
] as const

/** Where the demo network was not seeded: so many demo dealers nobody signs in as. */
export async function insertDemoDealers(tx: Tx, wanted: number): Promise<void> {
  const { count } = await tx
    .selectFrom('dealers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('demo', '=', true)
    .where('dealershipName', 'not like', 'Demo Motors%')
    .executeTakeFirstOrThrow()
  if (count >= wanted) return
  for (const [name, dealershipName, city, state] of people)
    await tx
      .insertInto('dealers')
      .values({
        email: `${name.toLowerCase().replaceAll(' ', '.')}@demo.lanewire.example`,
        name,
        dealershipName,
        city,
        state,
        demo: true,
        profileCompletedAt: sql<Date>`now()`,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .execute()
}

/** Demo dealers whom nobody plays and whom this dealer has no chat with, those with posts first. */
export async function listDemoPartners(tx: Tx, dealerId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from dealers d
    where d.demo and d.id <> ${dealerId} and d.role = 'dealer' and not ${isSuspended('d')} and d.deleted_at is null
      and d.dealership_name not like 'Demo Motors%'
      and not exists (select from sessions s where s.dealer_id = d.id and s.expires_at > now())
      and not exists (select from chats c where (c.low_dealer_id, c.high_dealer_id)
        in ((least(d.id, ${dealerId}::uuid), greatest(d.id, ${dealerId}::uuid))))
    order by exists (select from posts p where p.dealer_id = d.id) desc, d.id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}
