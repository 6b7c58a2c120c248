import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { all } from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import type { Config } from '#server/config/config.ts'

/** Returns a function that finds the client's IP address in a request. */
export function createClientAddress({ trustProxy }: Config): (request: IncomingMessage) => string {
  return (request) => {
    const peer = request.socket.remoteAddress ?? ''
    const named = all(request, trustProxy).at(-1) ?? peer
    // If there are fewer proxies than TRUST_PROXY says, the client controls this value, and it may not be an IP address.
    const address = isIP(named) > 0 ? named : peer
    // Convert IPv4-mapped IPv6 addresses to IPv4: `::ffff:203.0.113.9` becomes `203.0.113.9`.
    return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
  }
}

const ipv6PrefixBits = 64

/** Returns the rate limit key for an IP address or other key. IPv6 addresses share a key per /64 network, which usually has one user. */
export function countedAs(key: string): string {
  if (!isIPv6(key)) return key
  const address = ipaddr.process(key)
  if (address.kind() === 'ipv4') return address.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString().split('%')[0]}/${ipv6PrefixBits}`).toString()
}
