/** `npm run db:types` writes server/db/schema.ts from a freshly migrated database; `npm run check` compares. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Fault, run, say } from './console.mjs'
import { ensureInstalled } from './install.mjs'
import { exec } from './processes.mjs'
import { inRoot, root } from './root.mjs'
import { startServices } from './services.mjs'
import { databaseNamed, makeTemplate } from './templates.mjs'

const schema = inRoot('server', 'db', 'schema.ts')

/** What schema.ts has to say after all migrations. */
async function generate() {
  const folder = mkdtempSync(join(tmpdir(), 'lanewire-types-'))
  chmodSync(folder, 0o755)
  const services = await startServices({ folder, throwAway: true })
  try {
    const url = databaseNamed(services.databaseUrl, await makeTemplate(services.databaseUrl))
    const out = join(folder, 'schema.ts')
    // What to generate is said in .kysely-codegenrc.json.
    const codegen = inRoot('node_modules', 'kysely-codegen', 'dist', 'cli', 'bin.js')
    const code = await exec(process.execPath, [codegen, '--url', url, '--out-file', out, '--log-level', 'error'], {
      cwd: root,
    })
    if (code !== 0) throw new Fault('kysely-codegen failed; see above.')
    return readFileSync(out, 'utf8')
  } finally {
    await services.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<string>} '' when schema.ts is what the migrations make */
export async function schemaFaults() {
  return (await generate()) === readFileSync(schema, 'utf8') ? '' : 'server/db/schema.ts is stale: npm run db:types'
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  run(async () => {
    await ensureInstalled()
    writeFileSync(schema, await generate())
    say('server/db/schema.ts written')
  })
}
