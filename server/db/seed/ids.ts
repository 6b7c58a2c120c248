import type { Random } from './random.ts'

/** A version 7 UUID of the given moment (RFC 9562 §5.7), its random part drawn from `random`. */
export function idAt(random: Random, at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  const digits = (count: number) => Array.from({ length: count }, () => random.int(0, 15).toString(16)).join('')
  const variant = random.int(8, 11).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits(3)}-${variant}${digits(3)}-${digits(12)}`
}
