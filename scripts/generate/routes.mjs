/** `npm run routes` generates shared/routes.ts from the schemas of the server's routes. `npm run check` reports a stale file. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Fault, run, print } from '../console.mjs'
import { ensureInstalled } from '../run/install.mjs'
import { inRoot } from '../root.mjs'

/**
 * @typedef {{ type?: string, anyOf?: Schema[], const?: unknown, enum?: unknown[], items?: Schema,
 *   properties?: Record<string, Schema>, required?: string[] }} Schema of TypeBox, which is JSON Schema
 * @typedef {{ body?: Schema, response?: Record<string, Schema> }} RouteSchema
 */

const table = inRoot('shared', 'routes.ts')

async function namedSchemas() {
  /** @type {Map<unknown, { file: string, name: string, type: string }>} */
  const named = new Map()
  const folders = ['schemas', 'events']
  const files = folders.flatMap((folder) => readdirSync(inRoot('shared', folder)).map((name) => `${folder}/${name}`))
  for (const file of files) {
    const text = readFileSync(inRoot('shared', file), 'utf8')
    const exports = await import(inRoot('shared', file))
    for (const [name, value] of Object.entries(exports)) {
      const type = new RegExp(`^export type ${name}\\b`, 'm').test(text) ? name : `Static<typeof ${name}>`
      if (typeof value === 'object') named.set(value, { file, name, type })
    }
  }
  return named
}

/** Returns every route under /api with its schemas. Connects to no services. */
async function declaredRoutes() {
  const { default: fastify } = await import('fastify')
  const { loadConfig } = await import(inRoot('server', 'config', 'config.ts'))
  const { registerRoutes } = await import(inRoot('server', 'routes.ts'))
  const google = { GOOGLE_CLIENT_ID: 'none', GOOGLE_CLIENT_SECRET: 'none' }
  const config = loadConfig({ DATABASE_URL: 'postgres://localhost/none', REDIS_URL: 'redis://localhost', ...google })
  const ctx = { config, bus: { on: () => undefined } }
  /** @type {{ method: string, url: string, schema: RouteSchema }[]} */
  const routes = []
  const app = fastify()
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    if (method !== 'HEAD') routes.push({ method: String(method), url, schema: /** @type {RouteSchema} */ (schema) })
  })
  await app.register((/** @type {unknown} */ api) => registerRoutes(api, { ctx, views: undefined }), { prefix: '/api' })
  return routes
}

/** @param {Awaited<ReturnType<typeof namedSchemas>>} named */
function createWriter(named) {
  /** @type {Map<string, Set<string>>} */
  const imports = new Map()
  /** @type {(schema: Schema) => string} */
  const typeOf = (schema) => {
    const known = named.get(schema)
    if (known !== undefined) {
      const other = [...imports].find(([file, names]) => file !== known.file && names.has(known.name))
      if (other) throw new Fault(`Two schemas are named ${known.name}: in ${known.file} and ${other[0]}.`)
      imports.set(known.file, (imports.get(known.file) ?? new Set()).add(known.name))
      return known.type
    }
    if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((/** @type {unknown} */ one) => JSON.stringify(one)).join(' | ')
    if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`
    if (schema.type === 'object') return objectOf(schema)
    const simple = schema.type === 'integer' ? 'number' : schema.type
    if (typeof simple !== 'string')
      throw new Fault(`Give this schema of a route a name in shared/: ${JSON.stringify(schema)}`)
    return simple
  }
  /** @param {Schema} schema */
  const objectOf = ({ properties = {}, required = [] }) => {
    const fields = Object.entries(properties).map(
      ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
    )
    return `{ ${fields.join('; ')} }`
  }
  return { imports, typeOf }
}

async function generate() {
  const { register } = await import('tsx/esm/api')
  const unregister = register()
  const named = await namedSchemas()
  const routes = await declaredRoutes()
  await unregister()
  const { imports, typeOf } = createWriter(named)
  const rows = routes.map(({ method, url, schema }) => {
    const answers = Object.entries(schema.response ?? {}).filter(([status]) => status.startsWith('2'))
    const types = answers.map(([, answer]) => (answer.type === 'null' ? 'void' : typeOf(answer)))
    const answer = types.length === 0 ? 'unknown' : [...new Set(types)].join(' | ')
    return `'${method} ${url}': { ${schema.body ? `body: ${typeOf(schema.body)}; ` : ''}answer: ${answer} }`
  })
  const from = [...imports].toSorted().map(([file, names]) => {
    return `import type { ${[...names].toSorted().join(', ')} } from './${file}'`
  })
  const text = [
    '// Written by `npm run routes` from the schemas of the server’s routes; `npm run check` compares.',
    ...(rows.some((row) => row.includes('Static<')) ? ["import type { Static } from 'typebox'"] : []),
    ...from,
    '',
    '/** Request body and response of each call. `unknown`: not JSON, or JSON without a schema. */',
    'export interface Routes {',
    ...rows.toSorted(),
    '}',
  ].join('\n')
  const { format } = await import('oxfmt')
  const options = JSON.parse(readFileSync(inRoot('.oxfmtrc.json'), 'utf8'))
  return (await format(table, text, options)).code
}

/** @returns {Promise<string>} '' if the table is up to date */
export async function routesFaults() {
  return (await generate()) === readFileSync(table, 'utf8') ? '' : 'shared/routes.ts is stale: npm run routes'
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  run(async () => {
    await ensureInstalled()
    writeFileSync(table, await generate())
    print('shared/routes.ts written')
  })
}
