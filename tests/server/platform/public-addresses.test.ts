import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import ipaddr from 'ipaddr.js'
import t from 'tap'
import { guardedFetch, isPublicAddress } from '#server/platform/guarded-fetch.ts'

t.test('treats only public addresses as public', async (t) => {
  for (const address of [
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'not an address',
  ])
    t.notOk(isPublicAddress(address), address)
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:4700::1111']) t.ok(isPublicAddress(address), address)
})

t.test('treats no boundary of a non-public range as public, nor an embedded IPv4 address', async (t) => {
  const ranges = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
    192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64
    2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8`
  for (const range of ranges.split(/\s+/)) {
    const family = range.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4
    for (const end of [family.networkAddressFromCIDR(range), family.broadcastAddressFromCIDR(range)])
      t.notOk(isPublicAddress(end.toString()), `${end.toString()} of ${range}`)
  }
  for (const address of [
    '::7f00:1',
    '::8.8.8.8',
    '2002:808:808::1',
    '64:ff9b::808:808',
    '2001:0:808:808::1',
    '010.0.0.1',
  ])
    t.notOk(isPublicAddress(address), address)
  t.ok(isPublicAddress('::ffff:8.8.8.8'), 'another spelling of it')
})

t.test('reports a response that stops halfway as too slow, and a closed connection as unreachable', async (t) => {
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('half')
    if (url === '/closed') response.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const read = (path: string, timeoutMs: number) =>
    guardedFetch(`http://${host}${path}`, { accept: '*/*', maxBytes: 100, timeoutMs, privateHosts: [host] })
  await t.rejects(read('/slow', 500), { fault: 'late', message: 'The link took too long to answer' })
  await t.rejects(read('/closed', 60_000), { fault: 'unreachable', message: 'The link could not be reached' })
})
