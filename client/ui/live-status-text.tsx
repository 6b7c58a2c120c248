import { useConnection } from '#client/lib/live/connection.ts'
import { Dot } from './badge.tsx'

/** @param live the text to show while all events arrive */
export function LiveStatusText({ live }: { live: string }) {
  const states = {
    connecting: { words: 'Connecting…', tone: 'off' },
    live: { words: live, tone: 'ok' },
    offline: { words: 'Updates every 30 s', tone: 'warning' },
  } as const
  const { words, tone } = states[useConnection()]
  return (
    <span className="flex flex-none items-center gap-1">
      <Dot tone={tone} />
      {words}
    </span>
  )
}
