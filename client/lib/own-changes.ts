import type { QueryClient } from '@tanstack/react-query'

/** Calls `run` after each change that this tab sent and the server accepted. Returns a function that stops this. */
export const onOwnChange = (cache: QueryClient, run: () => void): (() => void) =>
  cache.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') run()
  })
