import { type ComponentType, createElement, lazy, type LazyExoticComponent, useState } from 'react'
import { tab } from './tab.ts'

/** A page or a part of one, whose code comes when it is wanted. */
export type LazyPart<Props> = ComponentType<Props> & {
  /** Fetches the code before it is rendered. Fails as the fetch does, and may be called again. */
  preload: () => Promise<unknown>
}

export type LazyPage = ComponentType & Pick<LazyPart<object>, 'preload'>

/**
 * Lets parts whose code could not be loaded load again where they are rendered next. Error boundaries call it once they have caught a
 * failure: any sooner, React would try again by itself, for as long as there is no connection.
 */
export function forgetFailedParts(): void {
  for (const forget of tab.failedParts) forget()
  tab.failedParts.clear()
}

/**
 * The one way to load a component's code late. `React.lazy` alone keeps a failed load for as long as the page is open.
 * Where the code is there already it is drawn at once: what waits for nothing would still be held behind a placeholder.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined
  let later: LazyExoticComponent<ComponentType<Props>> | undefined
  const preload = async () => (loaded ??= await load())
  const loadLater = () =>
    lazy(async () => {
      try {
        return { default: await preload() }
      } catch (error) {
        tab.failedParts.add(() => (later = undefined))
        throw error
      }
    })
  function Part(props: Props) {
    const [Now] = useState(() => loaded ?? (later ??= loadLater()))
    return createElement(Now as ComponentType<Props>, props)
  }
  return Object.assign(Part, { preload })
}
