import '#tests/support/dom.ts'
import t, { type Test } from 'tap'
import { reportActivity } from '#client/features/push/activity.ts'
import { tab } from '#client/lib/storage/tab-state.ts'
import { activeEveryMs, activeMs } from '#shared/limits.ts'

/** Fakes a tab with a fake clock and a socket that counts `active` events. */
function aTab(t: Test) {
  let now = 1_000_000
  let sent = 0
  let isFocused = true
  const intervals: (() => void)[] = []
  const { setInterval: every } = globalThis
  const { now: clock } = performance
  performance.now = () => now
  globalThis.setInterval = ((run: () => void) => intervals.push(run)) as unknown as typeof setInterval
  document.hasFocus = () => isFocused
  const volatile = { emit: (name: string) => void (sent += name === 'active' ? 1 : 0) }
  tab.socket = { connected: true, volatile } as unknown as NonNullable<typeof tab.socket>
  const stop = reportActivity()
  t.teardown(() => {
    stop()
    globalThis.setInterval = every
    performance.now = clock
    Reflect.deleteProperty(document, 'hasFocus')
    tab.socket = undefined
  })
  return {
    sent: () => sent,
    pass: (ms: number) => {
      now += ms
      for (const run of intervals) run()
    },
    use: (sign: string) => void document.body.dispatchEvent(new Event(sign, { bubbles: true })),
    blur: () => void (isFocused = false),
    stop,
  }
}

for (const sign of ['pointerdown', 'keydown', 'scroll'])
  t.test(`reports that the dealer is active after ${sign}`, (t) => {
    const { sent, use } = aTab(t)
    t.equal(sent(), 0)
    use(sign)
    t.equal(sent(), 1)
    t.end()
  })

t.test('reports once in 30 seconds, and until a minute after the last sign', (t) => {
  const { sent, use, pass } = aTab(t)
  use('keydown')
  use('keydown')
  pass(activeEveryMs - 1)
  t.equal(sent(), 1)
  pass(1)
  t.equal(sent(), 2)
  pass(activeMs)
  t.equal(sent(), 2)
  use('scroll')
  t.equal(sent(), 3)
  t.end()
})

t.test('reports nothing in a tab without focus, in the background or without a connection', (t) => {
  const { sent, use, blur, pass } = aTab(t)
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
  use('keydown')
  Reflect.deleteProperty(document, 'visibilityState')
  if (tab.socket) Object.assign(tab.socket, { connected: false })
  use('keydown')
  if (tab.socket) Object.assign(tab.socket, { connected: true })
  blur()
  use('keydown')
  pass(1_000)
  t.equal(sent(), 0)
  t.end()
})
