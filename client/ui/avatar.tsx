import { type CSSProperties, useState } from 'react'
import { cx } from './cx.ts'

const hues = [12, 28, 60, 90, 150, 178, 198, 220, 262, 340] as const

const sizes = {
  24: 'size-6 text-xs font-medium',
  32: 'size-8 text-xs font-semibold',
  40: 'size-10 text-sm font-semibold',
  56: 'size-14 text-md font-semibold',
  96: 'size-24 text-lg font-semibold',
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = words[0]?.charAt(0) ?? ''
  const last = words.length > 1 ? (words.at(-1)?.charAt(0) ?? '') : ''
  return (first + last).toUpperCase()
}

function hueOf(name: string): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 997
  return hues[hash % hues.length] ?? 12
}

interface AvatarProps {
  name: string
  /** If there is no image or it fails to load, the avatar shows initials. */
  src?: string | null | undefined
  size?: keyof typeof sizes
  online?: boolean
}

/** Decorative, because the name is next to the avatar. Screen readers announce only that the dealer is online. */
export function Avatar({ name, src, size = 40, online = false }: AvatarProps) {
  const [failedSrc, setFailedSrc] = useState<string>()
  const hue = { '--avatar-hue': hueOf(name) } as CSSProperties
  return (
    <span className="relative inline-flex flex-none">
      <span
        aria-hidden="true"
        style={hue}
        className={cx(
          'avatar-hue inline-flex items-center justify-center overflow-hidden rounded-full tracking-[.01em] select-none',
          sizes[size],
        )}
      >
        {src && src !== failedSrc ? (
          <img src={src} alt="" loading="lazy" className="size-full object-cover" onError={() => setFailedSrc(src)} />
        ) : (
          initialsOf(name)
        )}
      </span>
      {online ? (
        <span className="absolute -right-px -bottom-px size-2.5 rounded-full border-2 border-surface bg-success dark:bg-success-ink">
          <span className="sr-only">online</span>
        </span>
      ) : null}
    </span>
  )
}
