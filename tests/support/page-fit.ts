import type { Page } from 'playwright-core'

const usualTextPx = 16

/** Sets the browser's default text size, which also affects media queries. It stays set until changed. */
export async function showText(page: Page, percent: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const standard = Math.round((usualTextPx * percent) / 100)
  await session.send('Page.setFontSizes', { fontSizes: { standard } })
}

/** Returns how many pixels wider the page is than the window. `text` is the text size in percent. */
export async function sticksOut(page: Page, width: number, text = 100): Promise<number> {
  await page.setViewportSize({ width, height: 900 })
  await showText(page, text)
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}

interface Line {
  /** Index of the text node. If a node has several rectangles, such as two for truncated text, they share its index. */
  node: number
  text: string
  left: number
  right: number
  top: number
  bottom: number
}

const linesOf = (page: Page): Promise<Line[]> =>
  page.evaluate(() => {
    const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
    const root = dialog ?? document.querySelector('main') ?? document.body
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const lines: Line[] = []
    const afloat = '[aria-hidden=true], .fixed:not([role=dialog]), .sticky'
    for (let node = 0; walker.nextNode(); node += 1) {
      const { parentElement: element, textContent } = walker.currentNode
      if (!element?.checkVisibility({ visibilityProperty: true }) || element.closest(afloat)) continue
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      for (const { left, right, top, bottom } of range.getClientRects()) {
        const line = { node, text: (textContent ?? '').trim().slice(0, 40), left, right, top, bottom }
        for (let holder: Element | null = element; holder && holder !== root; holder = holder.parentElement) {
          if (getComputedStyle(holder).overflow === 'visible') continue
          const held = holder.getBoundingClientRect()
          line.left = Math.max(line.left, held.left)
          line.right = Math.min(line.right, held.right)
          line.top = Math.max(line.top, held.top)
          line.bottom = Math.min(line.bottom, held.bottom)
        }
        lines.push(line)
      }
    }
    return lines
  })

export async function crowded(page: Page): Promise<string[]> {
  const lines = (await linesOf(page)).filter(({ text }) => text !== '')
  const found = lines.flatMap((one, index) =>
    lines.slice(index + 1).flatMap((other) => {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      return one.node !== other.node && wide > 2 && high > 6 ? [`${one.text} / ${other.text}`] : []
    }),
  )
  return [...new Set(found)]
}

/** Returns text that is cut off. Ignores text that can scroll into view, and an ellipsis unless it hides an amount or a time. */
export const cutWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const figure = /\$\d|\d:\d\d/
    const slackPx = 1
    const hides = (value: string) => value === 'hidden' || value === 'clip'
    const cutter = (element: Element, text: DOMRect, isFigure: boolean): Element | undefined => {
      for (let box: Element | null = element; box; box = box.parentElement) {
        const style = getComputedStyle(box)
        if (!hides(style.overflowX)) {
          if (style.overflowX !== 'visible') return undefined
          continue
        }
        const { left, right, width } = box.getBoundingClientRect()
        // Screen-reader-only text is one pixel wide.
        if (width <= 1) return undefined
        const isOut = text.right > right + slackPx || text.left < left - slackPx
        const isMeant = style.textOverflow === 'ellipsis' && !isFigure
        if (isOut && !isMeant) return box
        if (isOut) return undefined
      }
      return undefined
    }
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const [words, element] = [node.textContent?.trim() ?? '', node.parentElement]
      if (words === '' || !element?.checkVisibility({ visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const text = range.getBoundingClientRect()
      if (text.width > 0 && cutter(element, text, figure.test(words))) found.push(words)
    }
    return found
  })
