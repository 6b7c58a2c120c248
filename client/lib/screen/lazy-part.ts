import { type ComponentType, createElement, lazy, type LazyExoticComponent, useState } from 'react'
import { tab } from '../storage/tab-state.ts'

export type LazyPart<Props> = ComponentType<Props> & {
  preload: () => Promise<unknown>
}

export type LazyPage = ComponentType & Pick<LazyPart<object>, 'preload'>

/** Lets failed parts load again. Call this only in error boundaries, because an earlier call would make React retry in a loop. */
export function forgetFailedParts(): void {
  for (const forget of tab.failedParts) forget()
  tab.failedParts.clear()
}

/** Returns a component whose code is loaded on demand. Unlike with `React.lazy`, a failed load can be retried. */
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
