import { fileURLToPath } from 'node:url'

/** Folder of the built server's entry points; undefined if the server runs from source, as in tests. */
const entries = /^.*\/dist\/server\/(?=(chunks\/)?[^/]+$)/.exec(import.meta.url)?.[0]

export const builtClient = entries === undefined ? undefined : fileURLToPath(new URL('../client', entries))

/** Returns the path of a file that the build copies under the name `built`. @param source path below server/ */
export function ownFile(source: string, built = source): string {
  if (entries !== undefined) return fileURLToPath(new URL(built, entries))
  return fileURLToPath(import.meta.resolve(`#server/${source}`))
}
