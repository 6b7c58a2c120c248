import { createContext, use } from 'react'

export const DemoContext = createContext(false)

/** True on a demo network. Invented dealers, quotes and jobs appear only there. */
export const useDemoNetwork = (): boolean => use(DemoContext)
