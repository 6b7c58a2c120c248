import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { inRoot } from '../root.mjs'

/** @typedef {{ build?: string, image?: string, depends_on?: string[] | Record<string, unknown>, volumes?: string[] }} Service */

/** @param {Service} service @returns {string[]} names of the services it depends on */
const needsOf = ({ depends_on: needs = [] }) => (Array.isArray(needs) ? needs : Object.keys(needs))

/** Finds errors in compose.yaml that Docker would report only at startup. @returns {string[]} */
function composeFaults() {
  const document = parseDocument(readFileSync(inRoot('compose.yaml'), 'utf8'), { merge: true })
  if (document.errors.length > 0) return document.errors.map((error) => `compose.yaml: ${error.message}`)
  /** @type {{ services: Record<string, Service>, volumes: Record<string, unknown> }} */
  const { services, volumes } = document.toJS()
  const missing = ['postgres', 'redis', 'migrate', 'web', 'worker', 'balancer'].filter((name) => !services[name])
  const faults = missing.map((name) => `compose.yaml: the service ${name} is missing`)
  for (const [name, service] of Object.entries(services)) {
    if (!service.build && !service.image) faults.push(`compose.yaml: ${name} has neither build nor image`)
    for (const other of needsOf(service).filter((other) => !services[other]))
      faults.push(`compose.yaml: ${name} waits for ${other}, which is not there`)
    for (const [source = ''] of (service.volumes ?? []).map((volume) => volume.split(':'))) {
      const known = source.startsWith('.') ? existsSync(inRoot(source)) : source in volumes
      if (!known) faults.push(`compose.yaml: ${name} mounts ${source}, which is not there`)
    }
  }
  return faults
}

/** Returns the source stage and source files of a COPY line. @param {string} line */
function copyOf(line) {
  const words = line.split(/\s+/).slice(1)
  const stage = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  return { stage, sources: stage ? [] : words.slice(0, -1) }
}

/** Finds COPY lines with missing or ignored sources, and vite.*.ts files that none copies. @param {string[]} lines @returns {string[]} */
function copyFaults(lines) {
  const ignored = new Set(
    readFileSync(inRoot('.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1)),
  )
  const stages = new Set(lines.flatMap((line) => /^FROM \S+ AS (\S+)$/.exec(line)?.[1] ?? []))
  /** @type {string[]} */
  const faults = []
  /** @type {Set<string>} */
  const copied = new Set()
  for (const line of lines.filter((line) => line.startsWith('COPY '))) {
    const { stage, sources } = copyOf(line)
    if (stage && !stages.has(stage)) faults.push(`Dockerfile: no stage ${stage}`)
    for (const source of sources) {
      const name = source.replace(/\/$/, '')
      copied.add(name)
      if (!existsSync(inRoot(name))) faults.push(`Dockerfile: ${source} does not exist`)
      if (!ignored.has(name)) faults.push(`Dockerfile: ${source} is kept out by .dockerignore`)
    }
  }
  for (const name of readdirSync(inRoot('.')).filter((file) => /^vite\..*ts$/.test(file) && !copied.has(file)))
    faults.push(`Dockerfile: the build needs ${name}, which is not copied`)
  return faults
}

/** @returns {string[]} */
function dockerfileFaults() {
  const lines = readFileSync(inRoot('Dockerfile'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
  const faults = copyFaults(lines)
  const user = lines.findLast((line) => line.startsWith('USER '))
  if (!user || /root|\b0\b/.test(user)) faults.push('Dockerfile: the last stage must run as a user other than root')
  return faults
}

export async function checkContainers() {
  return [...composeFaults(), ...dockerfileFaults()].join('\n')
}
