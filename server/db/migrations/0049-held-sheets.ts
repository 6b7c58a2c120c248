import { sql, type Kysely } from 'kysely'

/**
 * `sheet_imports`: an import that loses many vehicles or prices waits in `held`, and its vehicles in `held_vehicles`, until the
 * owner decides. `seen`: the sheet as previewed before the post was published; null once an import is published.
 * `sheet_columns`: how a dealer corrected the columns of spreadsheets with these headings (a SHA-256 of their names).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sheet_imports
      add column seen jsonb,
      add column changes jsonb,
      add column held jsonb,
      add column held_vehicles jsonb,
      add constraint sheet_imports_held check (state <> 'held' or (held is not null and held_vehicles is not null));
    comment on column sheet_imports.seen is 'not personal';
    comment on column sheet_imports.changes is 'personal: delete; export: yes';
    comment on column sheet_imports.held is 'personal: delete; export: yes';
    comment on column sheet_imports.held_vehicles is 'personal: delete; export: yes';

    create table sheet_columns (
      dealer_id uuid not null references dealers on delete cascade,
      headings text not null check (length(headings) = 64),
      columns jsonb not null,
      updated_at timestamptz not null default now(),
      primary key (dealer_id, headings)
    );
    comment on column sheet_columns.headings is 'personal: delete; export: yes';
    comment on column sheet_columns.columns is 'personal: delete; export: yes';`.execute(db)
  await replaceStates(db, ['waiting', 'done', 'failed', 'held'])
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table sheet_columns;
    update sheet_imports set state = 'done' where state = 'held';
    alter table sheet_imports drop column seen, drop column changes, drop column held, drop column held_vehicles;`.execute(
    db,
  )
  await replaceStates(db, ['waiting', 'done', 'failed'])
}

const replaceStates = (db: Kysely<unknown>, states: readonly string[]) =>
  sql`
    alter table sheet_imports drop constraint sheet_imports_state_check,
      add constraint sheet_imports_state_check check (state in (${sql.join(states.map((state) => sql.lit(state)))}));`.execute(
    db,
  )
