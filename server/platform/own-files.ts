import { fileURLToPath } from 'node:url'

/**
 * Where a file of the server's is that is read or started instead of imported. The build puts it beside its entries, under
 * `built`; elsewhere it is among the sources. @param source below server/
 */
export function ownFile(source: string, built = source): string {
  const entries = import.meta.url.replace(/\/dist\/server\/(chunks\/)?[^/]+$/, '/dist/server/')
  if (entries !== import.meta.url) return fileURLToPath(new URL(built, entries))
  return fileURLToPath(import.meta.resolve(`#server/${source}`))
}
