import { fileURLToPath } from 'node:url'

/** Where the build puts the server's entries; undefined where it runs from its sources, as in tests. */
const entries = /^.*\/dist\/server\/(?=(chunks\/)?[^/]+$)/.exec(import.meta.url)?.[0]

/** The built client, which stands beside the built server. */
export const builtClient = entries === undefined ? undefined : fileURLToPath(new URL('../client', entries))

/**
 * Where a file of the server's is that is read or started instead of imported. The build puts it beside its entries, under
 * `built`; elsewhere it is among the sources. @param source below server/
 */
export function ownFile(source: string, built = source): string {
  if (entries !== undefined) return fileURLToPath(new URL(built, entries))
  return fileURLToPath(import.meta.resolve(`#server/${source}`))
}
