import { compile } from '@fastify/proxy-addr'

/** True if the proxy is trusted at this address, `hop` steps away from this process. */
export type Trust = (address: string, hop: number) => boolean

export const hopsMax = 9

/**
 * Parses TRUST_PROXY: the number of nearest proxies to trust, or the networks of trusted proxies. Each proxy appends its client's
 * address to X-Forwarded-For, and entries further left may be forged by the client. Undefined if invalid.
 */
export function readTrust(setting: string): Trust | undefined {
  const hops = setting === 'on' ? 1 : Number(setting === 'off' ? 0 : setting)
  // Trusts the nearest proxies by their number, whatever their addresses are.
  if (setting === 'off' || (Number.isInteger(hops) && hops > 0 && hops <= hopsMax)) return (_address, hop) => hop < hops
  if (!Number.isNaN(hops)) return undefined
  try {
    return compile(setting.split(',').map((network) => network.trim()))
  } catch {
    return undefined
  }
}
