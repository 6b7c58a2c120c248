import { compile } from '@fastify/proxy-addr'

/** Whether the one `hop` places away from this process, at that address, is believed about who is behind it. */
export type Trust = (address: string, hop: number) => boolean

export const hopsMax = 9

/**
 * Each balancer appends to X-Forwarded-For whom it saw: the nearest so many are believed, or those of these networks,
 * never what a client wrote to the left of them. Undefined where the setting is neither.
 */
export function readTrust(setting: string): Trust | undefined {
  const hops = setting === 'on' ? 1 : Number(setting === 'off' ? 0 : setting)
  // The framework itself takes no number: it says nothing of who is at the other end, which here is the operator's word.
  if (setting === 'off' || (Number.isInteger(hops) && hops > 0 && hops <= hopsMax)) return (_address, hop) => hop < hops
  if (!Number.isNaN(hops)) return undefined
  try {
    return compile(setting.split(',').map((network) => network.trim()))
  } catch {
    return undefined
  }
}
