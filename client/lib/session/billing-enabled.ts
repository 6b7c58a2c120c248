import { createContext, use } from 'react'

/** True if billing is on. The app gets it from `GET /api/auth/status`; in public pages, it is rendered in advance. */
export const BillingContext = createContext(true)

export const useBilling = (): boolean => use(BillingContext)
