import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** A page whose code comes when it is wanted. */
export type LazyPage = LazyExoticComponent<ComponentType> & {
  /** Fetches the code before it is rendered. */
  preload: () => Promise<unknown>
}

export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  return Object.assign(
    lazy(async () => ({ default: await load() })),
    { preload: load },
  )
}
