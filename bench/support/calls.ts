import { Agent, request } from 'node:http'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: unknown
}

/** Keep-alive saves CPU time on this machine, which runs both the load generator and the measured servers. */
const agent = new Agent({ keepAlive: true, maxSockets: 512, noDelay: true })

export function call(
  method: string,
  url: string,
  { headers, body }: { headers: Record<string, string>; body?: unknown },
): Promise<Answer> {
  const data = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const sent = { ...headers, ...(data && { 'content-type': 'application/json', 'content-length': data.length }) }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers: sent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', reject)
      response.on('end', () => {
        const json = response.headers['content-type']?.startsWith('application/json') === true
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: json && text !== '' ? (JSON.parse(text) as unknown) : undefined,
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(data)
  })
}
