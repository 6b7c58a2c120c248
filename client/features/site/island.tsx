import { type ComponentType, createContext, type ReactElement, use } from 'react'

/** Registers an island during prerendering and returns its marker. */
export type IslandCollector = (name: string, element: ReactElement) => string

export const IslandContext = createContext<IslandCollector | undefined>(undefined)

interface IslandProps<Props extends object> {
  name: string
  Component: ComponentType<Props>
  props: Props
}

/** True while prerendering a separate document; false inside the app, which has its own frame. */
export const useIsDocument = (): boolean => use(IslandContext) !== undefined

/**
 * An interactive part of a prerendered page. The rest stays plain HTML, so that pages load React only for islands. Each
 * island is its own root, so that ids match on server and client. Inside the app, only the component is rendered.
 */
export function Island<Props extends object>({ name, Component, props }: IslandProps<Props>) {
  const collect = use(IslandContext)
  if (!collect) return <Component {...props} />
  const marker = collect(name, <Component {...props} />)
  return <div data-island={name} data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: marker }} />
}
