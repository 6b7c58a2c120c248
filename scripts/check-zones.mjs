import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { parseSync } from 'oxc-parser'
import { root } from './root.mjs'
import { sourceFiles } from './sources.mjs'

/**
 * Who may import whom. A zone is read off a file's path, so a new feature is covered the day its folder exists.
 * @typedef {{ file: string, area: string, feature?: string, part?: string }} Place
 * @typedef {(from: Place, to: Place) => string | undefined} Rule what to do instead, when the import is not allowed
 */

/** @param {string} file relative to the root @returns {Place} */
export function placeOf(file) {
  const parts = file.split(sep)
  const [top = '', second = '', third = ''] = parts
  if ((top === 'server' || top === 'client') && second === 'features') {
    return { file, area: `${top}/features`, feature: third, part: basename(file).split('.').slice(1, -1).join('.') }
  }
  if (top === 'server' || top === 'client')
    return { file, area: parts.length > 2 ? `${top}/${second}` : `${top}/${basename(file)}` }
  return { file, area: top }
}

const side = (/** @type {Place} */ place) => place.area.split('/')[0]
const isSchemaType = (/** @type {Place} */ to) => to.file === join('server', 'db', 'schema.ts')

/** Parts of a server feature that only its own feature may import. */
const PRIVATE_PARTS = new Set(['repository', 'routes', 'live', 'jobs'])
/** A feature of rows alone (dealers) has no rules to go round: who needs its rows reads them. @param {string | undefined} feature */
const hasService = (feature) =>
  readdirSync(join(root, 'server', 'features', feature ?? '')).some((file) => file.endsWith('.service.ts'))

/** Files of the server that join features and so may know all of them. */
const JOINTS = new Set([
  'server/main.ts',
  'server/server.ts',
  'server/app.ts',
  'server/facts.ts',
  'server/db',
  'server/standins',
])

/** @type {Rule[]} */
const RULES = [
  (from, to) => (to.area === 'tests' && from.area !== 'tests' ? 'Product code does not import tests.' : undefined),
  (from, to) =>
    from.area === 'shared' && to.area !== 'shared'
      ? 'shared/ stands alone: move what both sides need into shared/.'
      : undefined,
  (from, to) =>
    (side(from) === 'client' && side(to) === 'server') || (side(from) === 'server' && side(to) === 'client')
      ? 'Client and server never meet: put the contract into shared/.'
      : undefined,
  (from, to) =>
    (from.area === 'server/platform' || from.area === 'server/realtime') && to.area === 'server/features'
      ? 'The platform knows no feature: let the feature register itself in app.ts or listen on the bus.'
      : undefined,
  (from, to) =>
    from.part === 'repository' &&
    !isSchemaType(to) &&
    side(to) === 'server' &&
    !['server/platform', 'server/features', 'server/errors.ts'].includes(to.area)
      ? 'A repository is SQL only: it imports platform/db and types.'
      : undefined,
  (from, to) =>
    from.part === 'repository' &&
    to.area === 'server/features' &&
    ['service', 'routes', 'live', 'jobs'].includes(to.part ?? '')
      ? 'A repository has no rules: move the rule into the service.'
      : undefined,
  (from, to) =>
    from.area === 'server/features' &&
    to.area === 'server/features' &&
    from.feature !== to.feature &&
    PRIVATE_PARTS.has(to.part ?? '') &&
    hasService(to.feature)
      ? `Ask the ${to.feature} feature's service; its ${to.part} is its own.`
      : undefined,
  (from, to) =>
    from.part === 'service' && to.area === 'server/features' && ['routes', 'live', 'jobs'].includes(to.part ?? '')
      ? 'A service knows no route, socket or job: emit a fact and let them listen.'
      : undefined,
  (from, to) =>
    side(from) === 'server' &&
    from.area !== 'server/features' &&
    to.area === 'server/features' &&
    to.part === 'repository' &&
    !JOINTS.has(from.area)
      ? 'SQL is reached through a service.'
      : undefined,
  (from, to) =>
    to.area === 'server/standins' &&
    from.area !== 'server/standins' &&
    from.area !== 'server/main.ts' &&
    from.area !== 'tests'
      ? 'Stand-ins are started by server/main.ts and known to nobody else.'
      : undefined,
  (from, to) =>
    from.area === 'client/features' && to.area === 'client/features' && from.feature !== to.feature
      ? 'Two client features meet in a page: compose them in client/pages, or lift the shared part into client/ui or client/lib.'
      : undefined,
  (from, to) =>
    ['client/features', 'client/ui', 'client/lib'].includes(from.area) &&
    (to.area === 'client/pages' || to.area === 'client/app')
      ? 'Pages and app compose features, not the other way round: pass it in.'
      : undefined,
  (from, to) =>
    from.area === 'client/ui' && to.area === 'client/features'
      ? 'client/ui draws and asks nothing: take it as a prop.'
      : undefined,
  (from, to) =>
    from.area === 'client/lib' && (to.area === 'client/features' || to.area === 'client/ui')
      ? 'client/lib is below features and looks.'
      : undefined,
]

const ALIAS = /^#(shared|server|client|tests)\/(.*)$/

/** @param {string} from absolute path of the importing file @param {string} specifier @returns {string | undefined} path relative to the root */
function target(from, specifier) {
  const alias = ALIAS.exec(specifier)
  if (alias) return join(alias[1] ?? '', alias[2] ?? '')
  if (specifier.startsWith('.')) return relative(root, resolve(dirname(from), specifier))
  return undefined
}

/** @param {string} file absolute @returns {{ specifier: string, line: number }[]} */
function importsOf(file) {
  const text = readFileSync(file, 'utf8')
  const { module } = parseSync(file, text)
  const found = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      value: text.slice(start + 1, end - 1),
      start,
      end,
    })),
  ]
  return found.map(({ value, start }) => ({ specifier: value, line: text.slice(0, start).split('\n').length }))
}

/** Groups of files that import one another in a circle. @param {Map<string, string[]>} graph */
function cycles(graph) {
  const state = new Map()
  /** @type {string[]} */
  const found = []
  const visit = (/** @type {string} */ file, /** @type {string[]} */ path) => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    state.set(file, 'open')
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    state.set(file, 'done')
  }
  for (const file of graph.keys()) visit(file, [])
  return found
}

/** @returns {Promise<string>} every import that crosses a zone, with what to do instead */
export async function checkZones() {
  /** @type {string[]} */
  const faults = []
  /** @type {Map<string, string[]>} */
  const graph = new Map()
  for (const file of sourceFiles(['client', 'server', 'shared', 'tests'])) {
    const name = relative(root, file)
    const from = placeOf(name)
    /** @type {string[]} */
    const edges = []
    for (const { specifier, line } of importsOf(file)) {
      const to = target(file, specifier)
      if (from.area === 'shared' && !to && specifier.split('/')[0] !== 'typebox')
        faults.push(`${name}:${line}: shared/ imports typebox and nothing else.`)
      if (!to) continue
      if (existsSync(join(root, to)) && /\.(tsx?|mjs)$/.test(to)) edges.push(to)
      else if (!existsSync(join(root, to.split('?')[0] ?? '')))
        faults.push(`${name}:${line}: ${specifier} is not a file; write the whole name with its ending.`)
      const broken = RULES.map((rule) => rule(from, placeOf(to))).find(Boolean)
      if (broken && from.area !== 'tests') faults.push(`${name}:${line}: imports ${to}. ${broken}`)
    }
    graph.set(name, edges)
  }
  return [
    ...faults,
    ...cycles(graph).map((cycle) => `Import cycle: ${cycle}. Move what both need into a third file.`),
  ].join('\n')
}
