import '#tests/support/dom.ts'
import { act, cleanup, render } from '@testing-library/react'
import t from 'tap'
import { navigate } from 'wouter/use-browser-location'
import { useScrollMemory } from '#client/app/scroll-memory.ts'
import { resetStore } from '#client/lib/storage/store-slice.ts'

t.teardown(() => {
  cleanup()
  resetStore()
})

function Page() {
  useScrollMemory()
  return null
}

t.test("starts a linked page at its top, even after going back through another page's filters", async (t) => {
  const tops = t.capture(window, 'scrollTo')
  let scrollY = 0
  const at = (y: number) => (scrollY = y)
  t.intercept(window, 'scrollY', { get: () => scrollY })
  t.teardown(() => history.replaceState(null, '', '/'))
  const follow = (to: string) => act(() => navigate(to))
  const back = () =>
    act(async () => {
      const step = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
      history.back()
      await step
    })
  const last = () => (tops().at(-1)?.args[0] as unknown as ScrollToOptions | undefined)?.top
  navigate('/deals')
  render(<Page />)
  at(700)
  follow('/find')
  at(300)
  follow('/find?price=-20000')
  await back()
  follow('/deals')
  t.equal(last(), 0, 'no position of an earlier visit')
  at(0)
  await back()
  t.equal(last(), 300, 'going back restores the position')
})
