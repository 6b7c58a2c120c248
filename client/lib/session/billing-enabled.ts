import { createContext, use } from 'react'

/** The app reads it from `GET /api/auth/status`; on public pages the server renders it. */
export const BillingContext = createContext(true)

/** True if plans cost money. If not, the screens show no prices and no plans. */
export const useBilling = (): boolean => use(BillingContext)
