import type { QueryClient } from '@tanstack/react-query'

/** Calls `run` after each change from this tab that the server has accepted. */
export const onOwnChange = (cache: QueryClient, run: () => void): (() => void) =>
  cache.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') run()
  })
