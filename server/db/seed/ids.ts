import type { Random } from './random.ts'

/** Returns a version 7 UUID for the given time (RFC 9562 §5.7) with random bits from `random`. */
export function idAt(random: Random, at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  const digits = (count: number) => Array.from({ length: count }, () => random.int(0, 15).toString(16)).join('')
  const variant = random.int(8, 11).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits(3)}-${variant}${digits(3)}-${digits(12)}`
}
