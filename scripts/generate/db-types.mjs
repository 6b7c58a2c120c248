/** `npm run db:types` generates server/db/schema.ts from a migrated database. `npm run check` reports a stale file. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Fault, run, print } from '../console.mjs'
import { ensureInstalled } from '../run/install.mjs'
import { exec } from '../programs/processes.mjs'
import { inRoot, root } from '../root.mjs'
import { startServices } from '../programs/services.mjs'
import { databaseNamed, execute, makeTemplate } from '../programs/database-templates.mjs'

const schema = inRoot('server', 'db', 'schema.ts')

/** Selects text columns with a check constraint that lists their allowed values. */
const LISTED = `
  select pg_class.relname || '.' || attname as name from pg_constraint
  join pg_class on pg_class.oid = conrelid
  join pg_attribute on attrelid = conrelid and conkey = array[attnum]
  where contype = 'c' and atttypid = 'text'::regtype
    and pg_get_constraintdef(pg_constraint.oid) ~ '^CHECK \\(\\(\\w+ = (ANY \\(ARRAY\\[)?''' order by 1`

/** Checks that each column with listed values has a union type, because codegen alone would generate `string`. @param {string} url */
async function requireUnions(url) {
  const { overrides } = JSON.parse(readFileSync(inRoot('.kysely-codegenrc.json'), 'utf8'))
  const { rows } = await execute(url, LISTED)
  const missing = rows.map(({ name }) => name).filter((name) => !(name in overrides.columns))
  if (missing.length > 0)
    throw new Fault(`.kysely-codegenrc.json has no override for what a check lists: ${missing.join(', ')}`)
}

/** First lines of schema.ts. They explain the column comments, which kysely-codegen copies from the database. */
const HEADER = `// Comments on columns with personal data: whether a value is deleted, anonymized or kept when the dealer deletes their account, and
// whether the dealer's data export contains it (docs/style.md, "Personal data"). They come from the migrations.

`

async function generate() {
  const folder = mkdtempSync(join(tmpdir(), 'lanewire-types-'))
  chmodSync(folder, 0o755)
  const services = await startServices({ folder, throwAway: true })
  try {
    const url = databaseNamed(services.databaseUrl, await makeTemplate(services.databaseUrl))
    await requireUnions(url)
    const out = join(folder, 'schema.ts')
    const codegen = inRoot('node_modules', 'kysely-codegen', 'dist', 'cli', 'bin.js')
    const code = await exec(process.execPath, [codegen, '--url', url, '--out-file', out, '--log-level', 'error'], {
      cwd: root,
    })
    if (code !== 0) throw new Fault('kysely-codegen failed; see above.')
    return HEADER + readFileSync(out, 'utf8')
  } finally {
    await services.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<string>} '' if schema.ts is up to date */
export async function schemaFaults() {
  return (await generate()) === readFileSync(schema, 'utf8') ? '' : 'server/db/schema.ts is stale: npm run db:types'
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  run(async () => {
    await ensureInstalled()
    writeFileSync(schema, await generate())
    print('server/db/schema.ts written')
  })
}
