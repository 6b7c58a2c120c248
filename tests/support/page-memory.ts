import type { Page } from 'playwright-core'

export interface Memory {
  heapMb: number
  /** Elements of the document. */
  elements: number
  /** Nodes of the document, and detached nodes that the page still holds. */
  nodes: number
}

/** Collects garbage and returns the memory that the page uses. */
export async function readMemory(page: Page): Promise<Memory> {
  const session = await page.context().newCDPSession(page)
  for (const domain of ['HeapProfiler.enable', 'Performance.enable'] as const) await session.send(domain)
  const drawTwice = () =>
    page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  // Finalizers run after a collection and free more, which the next one collects.
  for (let left = 3; left > 0; left -= 1) {
    await drawTwice()
    await session.send('HeapProfiler.collectGarbage')
  }
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  return { heapMb: of('JSHeapUsedSize') / 1_048_576, elements, nodes: of('Nodes') }
}
