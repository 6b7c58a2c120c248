import { sql, type Kysely } from 'kysely'

/** Old and new wording of the column comments about personal data. Longer texts come before texts that they contain. */
const wordings: readonly (readonly [string, string])[] = [
  ['personal: anonymise', 'personal: anonymize'],
  ['a secret, or what proves one', 'a secret, or used to verify one'],
  ['the other side of the deal has it in its books', 'the other party to the deal keeps it in its records'],
  [
    'the other side of the chat holds it too, from a deleted dealer',
    'the other dealer in the chat keeps it, from a deleted dealer',
  ],
  ['part of a discussion among others, by a deleted dealer', 'part of a discussion, by a deleted dealer'],
  ['the history of an auction, by a deleted dealer', 'part of an auction history, by a deleted dealer'],
  ['invoices are kept by law', 'the law requires keeping invoices'],
  ['refunds are part of the invoices', 'the law requires keeping refunds with their invoices'],
  ['why the staff of the network acted has to stay provable', 'evidence of why staff acted'],
  ['the log of what the staff of the network did', 'part of the log of staff actions'],
  ['what the staff of the network noted', 'staff notes'],
  [
    'a case about others rests on it, until the logs go',
    'evidence in a case about other dealers, until logs are deleted',
  ],
  [
    'a case about others rests on it, by a deleted dealer',
    'evidence in a case about other dealers, by a deleted dealer',
  ],
  ['what the network noted', 'a note by the network'],
  ['as the content that it is made of', 'kept like the content from which it is computed'],
  ['made of other columns', 'computed from other columns'],
  ['bidders were told it', 'bidders have read it'],
  ['drawn in the paper', 'contained in the document'],
  ['work under way, of what is exported elsewhere', 'an unfinished copy of data that is exported elsewhere'],
  ['a number at the payment provider', 'an id at the payment provider'],
  ['what the payment provider knows a card by', 'the id of a card at the payment provider'],
  ['an address of the account', "one of the account's addresses"],
  ['lets others send', 'lets others send notifications'],
]

async function reword(db: Kysely<unknown>, pairs: readonly (readonly [string, string])[]): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; comment: string }>`
    select c.relname as table, a.attname as column, col_description(c.oid, a.attnum) as comment
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and col_description(c.oid, a.attnum) like 'personal: %'`.execute(db)
  const statements = rows.flatMap(({ table, column, comment }) => {
    const next = pairs.reduce((text, [from, to]) => text.replaceAll(from, to), comment)
    if (next === comment) return []
    return sql`comment on column ${sql.ref(`${table}.${column}`)} is ${sql.lit(next)}`
  })
  if (statements.length > 0) await sql.join(statements, sql`;`).execute(db)
}

/** Rewords the column comments in plain English. The rules themselves stay. */
export const up = (db: Kysely<unknown>): Promise<void> => reword(db, wordings)

export const down = (db: Kysely<unknown>): Promise<void> =>
  reword(
    db,
    wordings.map(([from, to]) => [to, from] as const),
  )
