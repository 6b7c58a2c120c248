import { createContext, use } from 'react'

/** Set where a public page is rendered: a page that nobody says it of is of a real network. */
export const DemoContext = createContext(false)

/** Whether the page is of a demo network. Invented dealers, quotes and job openings are shown there only. */
export const useDemoNetwork = (): boolean => use(DemoContext)
