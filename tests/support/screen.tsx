import './dom.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, getConfig, render, waitFor } from '@testing-library/react'
import React, { type ReactNode } from 'react'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { CurrentDealerContext } from '#client/lib/session/current-dealer.ts'
import { createQueryClient } from '#client/lib/query/query-client.ts'
import { resetStore } from '#client/lib/storage/store-slice.ts'
import { dismissToast, toastFailure } from '#client/ui/toast-store.ts'
import { Toaster } from '#client/ui/toaster.tsx'
import { TooltipLayer } from '#client/ui/tooltip.tsx'
import { patienceMs } from './patience.ts'
import { aCurrentUser } from './records.ts'

// Disables React's owner stacks, which tests do not need.
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE') as object
const enough = { get: () => Infinity, set: (_count: number) => undefined }
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', enough)

const { asyncWrapper } = getConfig()
const { setImmediate: runEffects } = globalThis

// Omit the page from error messages, because it would hide the actual message.
configure({
  // On a busy machine, a wait can end before React has run the effects of the new elements. React schedules them with `setImmediate`.
  asyncWrapper: async (wait) => {
    const result: unknown = await asyncWrapper(wait)
    await new Promise<void>((resolve) => void runEffects(resolve))
    return result
  },
  getElementError: (message) => new Error(message ?? 'not on the screen'),
  asyncUtilTimeout: patienceMs,
})

/** Renders inside the providers of the signed-in app. */
export function show(t: Test, children: ReactNode, me = aCurrentUser(), path = '/') {
  const cache = createQueryClient(toastFailure)
  const { hook, searchHook, history } = memoryLocation({ path, record: true })
  const screen = render(
    <QueryClientProvider client={cache}>
      <Router hook={hook} searchHook={searchHook}>
        <CurrentDealerContext value={me}>{children}</CurrentDealerContext>
      </Router>
      <Toaster />
      <TooltipLayer />
    </QueryClientProvider>,
  )
  t.teardown(() => {
    cleanup()
    cache.clear()
    // Reset shared state, because later tests and other files use the same window.
    dismissToast()
    resetStore()
    for (const storage of [localStorage, sessionStorage]) storage.clear()
  })
  return { ...screen, cache, history }
}

/** Waits until the value equals `wanted`, then asserts equality, so that a timeout reports the last value. */
export async function becomes<Value>(t: Test, read: () => Value, wanted: Value): Promise<void> {
  const same = () => isDeepStrictEqual(read(), wanted)
  await waitFor(() => {
    if (!same()) throw new Error('not yet')
  }).catch(() => undefined)
  t.same(read(), wanted)
}
