import { compile } from '@fastify/proxy-addr'

/** True if the proxy is trusted at this address, `hop` steps away from this process. */
export type Trust = (address: string, hop: number) => boolean

export const hopsMax = 9

/**
 * Parses TRUST_PROXY. Each proxy appends its client's address to X-Forwarded-For. Either this many nearest proxies are
 * trusted or those of these networks; entries further left may be forged by the client. Undefined if invalid.
 */
export function readTrust(setting: string): Trust | undefined {
  const hops = setting === 'on' ? 1 : Number(setting === 'off' ? 0 : setting)
  // Fastify's own setting takes no number of proxies, because it cannot know who connects. The operator does.
  if (setting === 'off' || (Number.isInteger(hops) && hops > 0 && hops <= hopsMax)) return (_address, hop) => hop < hops
  if (!Number.isNaN(hops)) return undefined
  try {
    return compile(setting.split(',').map((network) => network.trim()))
  } catch {
    return undefined
  }
}
