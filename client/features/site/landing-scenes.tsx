import { type ReactNode } from 'react'
import { cx } from '#client/ui/cx.ts'

/** What stands in one place in the three scenes of the loop (site.css). Without motion the first one stays. */
export function Scenes({ of, tinted = false }: { of: readonly [ReactNode, ReactNode, ReactNode]; tinted?: boolean }) {
  return (
    <span className={cx('inline-grid', tinted && 'stage-tint rounded-sm')}>
      {of.map((content, place) => (
        <span key={place} className="stage-scene">
          {content}
        </span>
      ))}
    </span>
  )
}

const secondsShown = 12
const firstSecond = 14

/** Counts down one second at a time, a line of the strip for each. */
export function StageClock() {
  return (
    <span className="block h-7 overflow-hidden">
      <span className="stage-clock block">
        {Array.from({ length: secondsShown }, (_, passed) => (
          <span key={passed} className="block">
            2:{String(firstSecond - passed).padStart(2, '0')}
          </span>
        ))}
      </span>
    </span>
  )
}
