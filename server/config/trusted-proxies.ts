import { compile } from '@fastify/proxy-addr'

/** True if the proxy at this address is trusted. `hop` is the proxy's distance from this process, starting at 0. */
export type Trust = (address: string, hop: number) => boolean

export const hopsMax = 9

/**
 * Parses TRUST_PROXY: the number of nearest proxies to trust, or the networks of trusted proxies. Each proxy appends its client's
 * address to X-Forwarded-For, but the client may have forged the entries before it. Returns undefined if TRUST_PROXY is invalid.
 */
export function readTrust(setting: string): Trust | undefined {
  const hops = setting === 'on' ? 1 : Number(setting === 'off' ? 0 : setting)
  if (setting === 'off' || (Number.isInteger(hops) && hops > 0 && hops <= hopsMax)) return (_address, hop) => hop < hops
  if (!Number.isNaN(hops)) return undefined
  try {
    return compile(setting.split(',').map((network) => network.trim()))
  } catch {
    return undefined
  }
}
