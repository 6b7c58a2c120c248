import { createContext, use } from 'react'

/** Set from `GET /api/auth/status` in the app, and rendered by the server on public pages. */
export const BillingContext = createContext(true)

/** True if plans cost money. If not, the screens show no prices and no plans. */
export const useBilling = (): boolean => use(BillingContext)
