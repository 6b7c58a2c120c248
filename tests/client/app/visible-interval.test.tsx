import { becomes, show } from '#tests/support/screen.tsx'
import { useQuery } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import { produce } from 'immer'
import { Profiler, useEffect } from 'react'
import t, { type Test } from 'tap'
import { useServerTime } from '#client/lib/live/server-clock.ts'
import { clockMs, onTick } from '#client/lib/live/shared-clocks.ts'
import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { keepNewest } from '#client/lib/storage/store-slice.ts'
import { TypingBubble } from '#client/features/messaging/thread/bubble.tsx'
import { LiveBadge } from '#client/ui/badge.tsx'
import { ClockText } from '#client/ui/clock-text.tsx'
import { feedPollMs } from '#shared/limits.ts'
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

t.test('pulses once a second, all dots at once', async (t) => {
  const time = stopTime(t, { apis: ['setInterval', 'Date'], now: 0 })
  const dots = () => [...document.querySelectorAll<HTMLElement>('[aria-hidden=true].rounded-full')]
  show(t, <LiveBadge />)
  const seen: string[] = []
  for (let tick = 0; tick < 8; tick += 1) {
    if (tick === 3) show(t, <LiveBadge />)
    act(() => time.tick(500))
    seen.push(
      dots()
        .map(({ style }) => style.opacity)
        .join(' '),
    )
  }
  t.same(seen, ['', '0.35', '0.35', '0.99 0.99', '0.99 0.99', '0.35 0.35', '0.35 0.35', '0.99 0.99'])
})

t.test('brightens one typing dot after another, and none where motion is reduced', async (t) => {
  const time = stopTime(t, { apis: ['setInterval'] })
  const { container, unmount } = show(t, <TypingBubble name="Ann Lee" />)
  const opacities = (of: HTMLElement) =>
    [...of.querySelectorAll<HTMLElement>('[aria-hidden=true]')].map(({ style }) => style.opacity)
  const seen = [0, 1, 2].map(() => {
    act(() => time.tick(1_000))
    return opacities(container)
  })
  t.same(seen, [
    ['0.35', '0.99', '0.35'],
    ['0.35', '0.35', '0.99'],
    ['0.99', '0.35', '0.35'],
  ])
  unmount()
  t.intercept(window, 'matchMedia', { value: () => ({ matches: true }) })
  const still = show(t, <TypingBubble name="Ann Lee" />)
  act(() => time.tick(1_000))
  t.same(opacities(still.container), ['', '', ''])
})

t.test('writes a clock once a second while it is on screen, without a render', async (t) => {
  const time = stopTime(t, { apis: ['setInterval', 'Date'], now: 0 })
  let setOnScreen: (isOn: boolean) => void = () => undefined
  t.intercept(globalThis, 'IntersectionObserver', {
    value: class {
      constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
        setOnScreen = (isIntersecting) => report([{ isIntersecting }])
      }
      observe() {}
      disconnect() {}
    },
  })
  let renders = 0
  const read = (nowMs: number) => `${Math.floor(nowMs / 1_000)} s`
  const { container } = show(
    t,
    <Profiler id="clock" onRender={() => (renders += 1)}>
      <ClockText read={read} running className="clock" />
    </Profiler>,
  )
  const text = () => container.querySelector('.clock')?.textContent
  act(() => time.tick(3_000))
  t.same([text(), renders], ['0 s', 1], 'off screen')
  act(() => setOnScreen(true))
  t.same([text(), renders], ['3 s', 2], 'as soon as it is on screen')
  act(() => time.tick(4_000))
  t.same([text(), renders], ['7 s', 2])
  act(() => setOnScreen(false))
  act(() => time.tick(2_000))
  t.equal(text(), '7 s', 'off screen again')
})

function Clock({ unitMs, onRender }: { unitMs: number; onRender: () => void }) {
  const text = useServerTime((nowMs) => Math.floor(nowMs / unitMs), { everyMs: clockMs.second })
  useEffect(() => {
    onRender()
  })
  return <p>{text}</p>
}

t.test('updates all clocks of an interval from one timer, and renders those whose text changed', async (t) => {
  const time = stopTime(t, { apis: ['setInterval', 'Date'], now: 0 })
  let timers = 0
  const { setInterval } = globalThis
  globalThis.setInterval = ((...given: Parameters<typeof setInterval>) => {
    timers += 1
    return setInterval(...given)
  }) as typeof setInterval
  t.teardown(() => (globalThis.setInterval = setInterval))
  const renders = { second: 0, minute: 0 }
  show(
    t,
    <>
      <Clock unitMs={1_000} onRender={() => (renders.second += 1)} />
      <Clock unitMs={60_000} onRender={() => (renders.minute += 1)} />
      <LiveBadge />
    </>,
  )
  for (let second = 0; second < 10; second += 1) act(() => time.tick(1_000))
  t.same({ timers, renders }, { timers: 1, renders: { second: 11, minute: 1 } })
})

function Polled({ count }: { count: () => number }) {
  return <p>{useQuery({ queryKey: ['polled'], queryFn: count, refetchInterval: feedPollMs }).data}</p>
}

t.test('polls only while the tab is visible, and at once when it is visible again', async (t) => {
  const time = stopTime(t, { apis: ['setInterval'] })
  const hide = hideTab(t)
  let count = 0
  show(t, <Polled count={() => (count += 1)} />)
  const shows = (text: string) => becomes(t, () => document.querySelector('p')?.textContent, text)
  await shows('1')
  act(() => time.tick(feedPollMs))
  await shows('2')
  const running = new Set<unknown>()
  const { setInterval, clearInterval } = globalThis
  t.teardown(() => Object.assign(globalThis, { setInterval, clearInterval }))
  Object.assign(globalThis, {
    setInterval: (...given: Parameters<typeof setInterval>) => {
      const timer = setInterval(...given)
      running.add(timer)
      return timer
    },
    clearInterval: (timer: Parameters<typeof clearInterval>[0]) => {
      running.delete(timer)
      clearInterval(timer)
    },
  })
  hide(true)
  hide(false)
  await shows('3')
  t.equal(running.size, 1, 'visible')
  hide(true)
  t.equal(running.size, 0, 'hidden')
  act(() => time.tick(20 * feedPollMs))
  hide(false)
  await shows('4')
})

t.test('keeps only the newest entries of a record that only gains entries', async (t) => {
  let seen: Record<string, number> = {}
  for (let number = 0; number < 30; number += 1)
    seen = produce(seen, (draft) => {
      draft[`post-${number}`] = number
      keepNewest(draft, 3)
    })
  t.same(seen, { 'post-27': 27, 'post-28': 28, 'post-29': 29 })
})
