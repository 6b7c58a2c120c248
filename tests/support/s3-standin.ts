import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

interface S3 {
  endpoint: string
  objects: Map<string, Buffer>
  /** True if bulk deletes fail, as with a bucket policy that forbids deleting. Such bulk deletes still return 200. */
  locked: boolean
  down: boolean
}

/** Starts an in-memory S3 with the operations that our storage uses. */
export async function startS3(t: Test): Promise<S3> {
  const objects = new Map<string, Buffer>()
  const s3: S3 = { endpoint: '', objects, locked: false, down: false }
  const read = (response: ServerResponse, key: string, prefix: string) => {
    if (key === '') return response.end(listing([...objects.keys()], prefix))
    const content = objects.get(key)
    if (content === undefined)
      return response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>')
    return response.writeHead(200, { 'content-length': content.length }).end(content)
  }
  const removeNamed = (response: ServerResponse, body: Buffer) => {
    const names = [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map(([, name = '']) => name)
    if (!s3.locked) for (const name of names) objects.delete(name)
    return response.end(`<DeleteResult>${s3.locked ? names.map(denied).join('') : ''}</DeleteResult>`)
  }
  const copy = (response: ServerResponse, source: string, key: string) => {
    const copied = objects.get(decodeURIComponent(source).split('/').slice(1).join('/'))
    if (copied === undefined)
      return response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>')
    objects.set(key, copied)
    return response.end('<CopyObjectResult><ETag>"1"</ETag></CopyObjectResult>')
  }
  const server = createServer((request, response) => {
    if (s3.down) return void request.resume().on('end', () => response.writeHead(503).end())
    const url = new URL(request.url ?? '/', 'http://s3')
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'))
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, headers } = request
      const body = Buffer.concat(chunks)
      if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256')) return response.writeHead(403).end()
      if (method === 'GET' || method === 'HEAD') return read(response, key, url.searchParams.get('prefix') ?? '')
      const source = headers['x-amz-copy-source']
      if (method === 'PUT' && typeof source === 'string') return copy(response, source, key)
      if (method === 'PUT') {
        objects.set(key, unchunked(body, headers['content-encoding']))
        return response.writeHead(200, { etag: '"1"' }).end()
      }
      if (method === 'POST' && url.searchParams.has('delete')) return removeNamed(response, body)
      objects.delete(key)
      return response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  s3.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return s3
}

const denied = (key: string) =>
  `<Error><Key>${key}</Key><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`

function listing(keys: readonly string[], prefix: string): string {
  const found = keys.filter((key) => key.startsWith(prefix)).map((key) => `<Contents><Key>${key}</Key></Contents>`)
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${found.join('')}</ListBucketResult>`
}

/** Decodes the SDK's chunked uploads with a trailing checksum: `size;…\r\ndata\r\n … 0`. */
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
