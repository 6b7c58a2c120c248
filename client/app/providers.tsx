import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Toaster } from '#client/ui/toaster.tsx'
import { TooltipProvider } from '#client/ui/tooltip.tsx'
import { SlotProvider } from './slots.tsx'

/** Loaded data never goes stale by itself and nothing is retried (spec A §1). */
function createQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, retry: false },
      mutations: { retry: false },
    },
  })
}

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <SlotProvider>{children}</SlotProvider>
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  )
}
