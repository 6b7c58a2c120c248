import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** The part of the S3 protocol that our storage speaks, kept in memory: put, get, delete, list and delete many. */
export async function startS3(t: Test): Promise<{ endpoint: string; objects: Map<string, Buffer> }> {
  const objects = new Map<string, Buffer>()
  const read = (response: ServerResponse, key: string, prefix: string) => {
    if (key === '') return response.end(listing([...objects.keys()], prefix))
    const content = objects.get(key)
    if (content === undefined)
      return response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>')
    return response.writeHead(200, { 'content-length': content.length }).end(content)
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://s3')
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'))
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, headers } = request
      const body = Buffer.concat(chunks)
      if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256')) return response.writeHead(403).end()
      if (method === 'GET' || method === 'HEAD') return read(response, key, url.searchParams.get('prefix') ?? '')
      if (method === 'PUT') {
        objects.set(key, unchunked(body, headers['content-encoding']))
        return response.writeHead(200, { etag: '"1"' }).end()
      }
      if (method === 'POST' && url.searchParams.has('delete')) {
        for (const [, name] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(name ?? '')
        return response.end('<DeleteResult></DeleteResult>')
      }
      objects.delete(key)
      return response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, objects }
}

function listing(keys: readonly string[], prefix: string): string {
  const found = keys.filter((key) => key.startsWith(prefix)).map((key) => `<Contents><Key>${key}</Key></Contents>`)
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${found.join('')}</ListBucketResult>`
}

/** The SDK may send its own chunks with signatures and a trailing checksum: `size;…\r\ndata\r\n … 0`. */
function unchunked(body: Buffer, encoding: string | undefined): Buffer {
  if (!encoding?.includes('aws-chunked')) return body
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, end), 16)
    if (!(size > 0)) break
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(parts)
}
