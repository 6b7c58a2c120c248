import { createContext, use } from 'react'

/** True if plans cost money. The app sets it from `GET /api/auth/status`; on public pages, the server renders it. */
export const BillingContext = createContext(true)

export const useBilling = (): boolean => use(BillingContext)
