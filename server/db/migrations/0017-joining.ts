import { sql, type Kysely } from 'kysely'

/**
 * The rules for joining: the network's setting, accounts that wait for approval, invitations, and the link of the first admin.
 * Redefines `listed` so that the directory omits waiting accounts, which rewrites the table of dealers once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table network_settings
      add column joining text not null default 'open' check (joining in ('open', 'approval', 'invitation'));

    -- Set while the account waits for approval. A declined account keeps waiting, with the reason.
    alter table dealers add column waiting_since timestamptz,
      add column declined_at timestamptz,
      add column declined_reason text check (length(declined_reason) <= 500),
      -- Created by an admin for this address: until this time its owner can set a password with the emailed link.
      add column invited_until timestamptz,
      add constraint dealers_declined check ((declined_at is null) = (declined_reason is null)
        and (declined_at is null or waiting_since is not null));
    alter table dealers alter column listed set expression as (
      deleted_at is null and profile_completed_at is not null and role = 'dealer' and waiting_since is null
      and coalesce(settings ->> 'profileVisibility', 'true') <> 'false');
    create index dealers_waiting on dealers (id desc) where waiting_since is not null and deleted_at is null;
    create index dealers_invited on dealers (id desc)
      where invited_until is not null and password_hash is null and email_verified_at is null and deleted_at is null;
    create index dealers_admins on dealers (id) where role = 'admin' and deleted_at is null;
    update dealers set invited_until = created_at + interval '7 days'
      where password_hash is null and email_verified_at is null and profile_completed_at is null and deleted_at is null
        and not demo
        and not exists (select from sessions where sessions.dealer_id = dealers.id)
        and not exists (select from identities where identities.dealer_id = dealers.id);

    -- Combined with the servers' secret to make the first admin's token.
    create table first_admin (
      only_row boolean primary key default true check (only_row),
      salt bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
      made_at timestamptz
    );`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table first_admin;
    alter table dealers alter column listed set expression as (
      deleted_at is null and profile_completed_at is not null and role = 'dealer'
      and coalesce(settings ->> 'profileVisibility', 'true') <> 'false');
    drop index dealers_admins;
    alter table dealers drop column waiting_since, drop column declined_at, drop column declined_reason,
      drop column invited_until;
    alter table network_settings drop column joining;`.execute(db)
}
