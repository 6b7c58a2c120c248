import { type ComponentType, createElement, lazy, useState } from 'react'

/** A page whose code comes when it is wanted. */
export type LazyPage = ComponentType & {
  /** Fetches the code before it is rendered. */
  preload: () => Promise<unknown>
}

/** Where its code is there already it is drawn at once: what waits for nothing would still be held behind a placeholder. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let loaded: ComponentType | undefined
  const preload = async () => (loaded ??= await load())
  const Later = lazy(async () => ({ default: await preload() }))
  function Page() {
    const [Now] = useState(() => loaded ?? Later)
    return createElement(Now)
  }
  return Object.assign(Page, { preload })
}
