import { type ComponentType, createContext, type ReactElement, use } from 'react'

export type IslandCollector = (name: string, element: ReactElement) => string

export const IslandContext = createContext<IslandCollector | undefined>(undefined)

interface IslandProps<Props extends object> {
  name: string
  Component: ComponentType<Props>
  props: Props
}

/** True while prerendering a separate document. False inside the app, which has its own frame. */
export const useIsDocument = (): boolean => use(IslandContext) !== undefined

/**
 * An interactive part of a prerendered page. The rest of the page stays plain HTML, so that React is loaded only for islands.
 * Each island is a separate React root, so that ids match on server and client.
 */
export function Island<Props extends object>({ name, Component, props }: IslandProps<Props>) {
  const collect = use(IslandContext)
  if (!collect) return <Component {...props} />
  const marker = collect(name, <Component {...props} />)
  return <div data-island={name} data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: marker }} />
}
