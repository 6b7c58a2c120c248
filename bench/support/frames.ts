import type { Browser, Page } from 'playwright-core'

/** An event of a Chromium trace; times in microseconds. */
interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
  /** CPU time of the event. `dur` is its wall time. */
  tdur?: number
}

const scripts = new Set(['FunctionCall', 'EvaluateScript', 'RunMicrotasks', 'v8.callFunction', 'MinorGC', 'MajorGC'])
const perMs = 1_000

const byTime = (a: TraceEvent, b: TraceEvent) => a.ts - b.ts

/** Returns the events of the page's main thread, which is the thread that starts most frames. */
function drawingThread(events: TraceEvent[]): TraceEvent[] {
  const threads = new Map<string, TraceEvent[]>()
  for (const event of events) {
    const key = `${event.pid} ${event.tid}`
    const known = threads.get(key)
    if (known) known.push(event)
    else threads.set(key, [event])
  }
  const frames = (of: TraceEvent[]) => of.filter(({ name }) => name === 'BeginMainThreadFrame').length
  return [...threads.values()].toSorted((a, b) => frames(b) - frames(a))[0] ?? []
}

/** Returns the script and garbage collection time of each frame, in CPU ms. Wall time would include other processes. */
export async function scriptPerFrame(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<number[]> {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline.frame', 'v8'],
  })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const isScript = ({ name, ph }: TraceEvent) => ph === 'X' && scripts.has(name)
  const drawn = drawingThread(
    traceEvents.filter((event) => isScript(event) || event.name === 'BeginMainThreadFrame'),
  ).toSorted(byTime)
  const spent: number[] = []
  let until = 0
  for (const event of drawn) {
    if (!isScript(event)) spent.push(0)
    // Skip nested events, because the outer event includes their time.
    else if (event.ts >= until && spent.length > 0) {
      until = event.ts + (event.dur ?? 0)
      spent.push((spent.pop() ?? 0) + (event.tdur ?? event.dur ?? 0) / perMs)
    }
  }
  return spent
}
