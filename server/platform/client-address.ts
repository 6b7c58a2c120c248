import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { all } from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import type { Config } from '#server/config.ts'

/** Whose request it is. The one answer for calls, sockets, limits and what is written down. */
export function createClientAddress({ trustProxy }: Config): (request: IncomingMessage) => string {
  return (request) => {
    const peer = request.socket.remoteAddress ?? ''
    const named = all(request, trustProxy).at(-1) ?? peer
    // Where fewer balancers stand than the setting says, a client's own words are left: they need not be an address.
    const address = isIP(named) > 0 ? named : peer
    // One client, one spelling: 203.0.113.9 may come as ::ffff:203.0.113.9.
    return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
  }
}

const lineBits = 64

/** What a limit counts by. Of an IPv6 address that is its /64: whoever has one has 2⁶⁴ of them. */
export function countedAs(key: string): string {
  if (!isIPv6(key)) return key
  const address = ipaddr.process(key)
  if (address.kind() === 'ipv4') return address.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString().split('%')[0]}/${lineBits}`).toString()
}
