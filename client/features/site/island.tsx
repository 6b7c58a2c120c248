import { type ComponentType, createContext, type ReactElement, use } from 'react'

/** Takes an interactive element out of the page being prerendered and answers the marker that stands for it. */
export type IslandCollector = (name: string, element: ReactElement) => string

export const IslandContext = createContext<IslandCollector | undefined>(undefined)

interface IslandProps<Props extends object> {
  /** The name under which the browser finds the component (revive.tsx). */
  name: string
  Component: ComponentType<Props>
  /** Travels in the page as JSON. */
  props: Props
}

/** Whether the page is a document of its own, which is being prerendered; else the app shows it inside its own frame. */
export const useIsDocument = (): boolean => use(IslandContext) !== undefined

/**
 * A part of a prerendered page that comes alive in the browser. Everything around it stays plain HTML, so that
 * a page loads React only for its islands. Each is rendered as a root of its own: the ids then match on both sides.
 * Inside the app, where everything is alive, it is the component alone.
 */
export function Island<Props extends object>({ name, Component, props }: IslandProps<Props>) {
  const collect = use(IslandContext)
  if (!collect) return <Component {...props} />
  const marker = collect(name, <Component {...props} />)
  return <div data-island={name} data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: marker }} />
}
