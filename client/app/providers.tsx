import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createQueryClient } from '#client/lib/query-client.ts'
import { toastFailure } from '#client/ui/toast-store.ts'
import { Toaster } from '#client/ui/toaster.tsx'
import { TooltipProvider } from '#client/ui/tooltip.tsx'
import { SlotProvider } from './slots.tsx'

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => createQueryClient(toastFailure))
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <SlotProvider>{children}</SlotProvider>
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  )
}
