import { show } from '#tests/support/screen.tsx'
import { act } from '@testing-library/react'
import t, { type Test } from 'tap'
import { onTick } from '#client/lib/live/server-clock.ts'
import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { defineSlice, keepNewest } from '#client/lib/storage/store-slice.ts'
import { LiveBadge } from '#client/ui/badge.tsx'
import { stopTime } from '#tests/support/stopped-time.ts'

function hideTab(t: Test) {
  t.teardown(() => Reflect.deleteProperty(document, 'hidden'))
  return (hidden: boolean) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }
}

t.test('runs nothing in a hidden tab, and once as soon as it is visible again', async (t) => {
  const time = stopTime(t, { apis: ['setInterval', 'setTimeout'] })
  const hide = hideTab(t)
  const counts = { interval: 0, tick: 0 }
  const stop = everyVisible(1_000, () => (counts.interval += 1))
  const stopTicks = onTick(() => (counts.tick += 1))
  time.tick(2_000)
  t.same(counts, { interval: 2, tick: 8 })
  hide(true)
  time.tick(60_000)
  t.same(counts, { interval: 2, tick: 8 }, 'hidden')
  hide(false)
  time.tick(1)
  t.same(counts, { interval: 3, tick: 9 }, 'visible again')
  time.tick(999)
  t.same(counts, { interval: 4, tick: 13 })
  stop()
  stopTicks()
  hide(true)
  hide(false)
  time.tick(2_000)
  t.same(counts, { interval: 4, tick: 13 }, 'stopped')
})

t.test('pulses by changing the opacity twice per pulse', async (t) => {
  const time = stopTime(t, { apis: ['setInterval', 'Date'], now: 0 })
  show(t, <LiveBadge />)
  const dot = document.querySelector<HTMLElement>('[aria-hidden=true].rounded-full')
  const seen: (string | undefined)[] = []
  for (let tick = 0; tick < 8; tick += 1) {
    act(() => time.tick(250))
    seen.push(dot?.style.opacity)
  }
  t.same(seen, ['', '', '', '0.35', '0.35', '0.35', '', ''])
})

t.test('keeps only the newest entries of a record that only gains entries', async (t) => {
  const slice = defineSlice<{ seen: Record<string, number> }>('test-newest', () => ({ seen: {} }))
  for (let number = 0; number < 30; number += 1)
    slice.set(({ seen }) => {
      seen[`post-${number}`] = number
      keepNewest(seen, 3)
    })
  t.same(slice.get().seen, { 'post-27': 27, 'post-28': 28, 'post-29': 29 })
})
