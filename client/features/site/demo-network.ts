import { createContext, use } from 'react'

export const DemoContext = createContext(false)

/** Invented dealers, quotes and jobs appear only on a demo network. */
export const useDemoNetwork = (): boolean => use(DemoContext)
