import { createContext, use } from 'react'

/** True on a demo network. Each place that renders a public page provides the value. */
export const DemoContext = createContext(false)

/** True on a demo network. Invented dealers, quotes and jobs appear only there. */
export const useDemoNetwork = (): boolean => use(DemoContext)
