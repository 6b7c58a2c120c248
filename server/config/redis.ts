/** Sentinels are servers that know the current Redis primary (https://redis.io/docs/latest/operate/oss_and_stack/). */
export interface Sentinels {
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly name: string
  readonly password: string | undefined
}

const sentinelPort = 26_379

/** Parses a comma-separated list of `host`, `host:port` or `[address]:port`. Returns undefined if any entry is invalid. */
export function readSentinels(list: string): Sentinels['hosts'] | undefined {
  const hosts = list.split(',').map((one) => {
    const text = `redis://${one.trim()}`
    const url = /^redis:\/\/[^/?#@]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined
    return url && { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || sentinelPort) }
  })
  return hosts.every((one) => one !== undefined) ? hosts : undefined
}
