import { createContext, use } from 'react'

/** Provided where a public page is rendered. False by default. */
export const DemoContext = createContext(false)

/** True on a demo network. Only there are invented dealers, quotes and jobs shown. */
export const useDemoNetwork = (): boolean => use(DemoContext)
