import { createContext, use } from 'react'

/** The app knows it from `GET /api/auth/status`, a public page from the server that sent it. */
export const BillingContext = createContext(true)

/** Whether plans are paid for. Where they are not there is no price, no plan to choose, and nothing to say of either. */
export const useBilling = (): boolean => use(BillingContext)
