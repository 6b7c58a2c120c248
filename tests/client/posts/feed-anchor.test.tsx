import '#tests/support/dom.ts'
import { renderHook } from '@testing-library/react'
import t, { type Test } from 'tap'
import { useFeedAnchor } from '#client/features/posts/feed/use-scroll-anchor.ts'

/** Fakes a browser without scroll anchoring. `frame` does what a browser does before it paints. */
function openFeed(t: Test, heights: number[]) {
  const list = document.createElement('div')
  let [scrollY, isScrolled] = [0, false]
  const scrollTo = (y: number) => ([scrollY, isScrolled] = [y, true])
  const heightOf = (posts: number[]) => posts.reduce((sum, height) => sum + height, 0)
  const topOf = (index: number) => heightOf(heights.slice(0, index)) - scrollY
  for (const [index] of heights.entries())
    list.append(
      Object.assign(document.createElement('article'), {
        getBoundingClientRect: () => ({ top: topOf(index), bottom: topOf(index + 1) }),
      }),
    )
  document.body.append(list)
  let observed = () => {}
  class Observer {
    constructor(tell: () => void) {
      observed = tell
    }
    observe() {}
    disconnect() {}
  }
  t.intercept(globalThis, 'ResizeObserver', { value: Observer })
  t.intercept(globalThis, 'CSS', { value: { supports: () => false } })
  t.intercept(window, 'scrollY', { get: () => scrollY })
  t.intercept(window, 'scrollBy', { value: ({ top }: { top: number }) => scrollTo(scrollY + top) })
  t.intercept(document.body, 'getBoundingClientRect', { value: () => ({ height: heightOf(heights) }) })
  let shown = heightOf(heights)
  const frame = () => {
    if (isScrolled) window.dispatchEvent(new Event('scroll'))
    isScrolled = false
    if (heightOf(heights) !== shown) observed()
    shown = heightOf(heights)
  }
  const { unmount } = renderHook(() => useFeedAnchor({ current: list }))
  t.teardown(() => {
    unmount()
    list.remove()
  })
  return {
    topOf,
    scrollTo,
    frame,
    grow: (index: number, px: number) => void (heights[index] = (heights[index] ?? 0) + px),
  }
}

t.test('keeps the place of a reader while posts above grow, also between two frames', (t) => {
  const { topOf, scrollTo, frame, grow } = openFeed(t, [300, 300, 300, 300])
  scrollTo(700)
  frame()
  t.equal(topOf(2), -100)
  grow(0, 50)
  frame()
  t.equal(topOf(2), -100)
  // The post grows again before the scroll event of the previous correction. The ResizeObserver reports the growth only after that event.
  grow(1, 23)
  frame()
  t.equal(topOf(2), -100, 'after two changes in a row')
  grow(0, 40)
  scrollTo(850)
  frame()
  t.equal(topOf(2), -177, 'a reader who scrolls meanwhile is moved by that only')
  frame()
  grow(3, 500)
  frame()
  t.equal(topOf(2), -177, 'growth below moves nothing')
  t.end()
})
