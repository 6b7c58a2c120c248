import { useCallback, useEffect, useState } from 'react'
import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { reasonOf } from '#client/lib/http/api.ts'

export interface Loaded<Data> {
  data: Data | undefined
  error: string | undefined
  retry: () => void
}

/** Fetches data for public pages, which do not load the query client. `load` must be the same function in every render. */
export function useLoad<Data>(load: () => Promise<Data>, everyMs?: number): Loaded<Data> {
  const [data, setData] = useState<Data>()
  const [error, setError] = useState<string>()

  const retry = useCallback(() => {
    load().then(
      (answer) => {
        setData(answer)
        setError(undefined)
      },
      (failure: unknown) => setError(reasonOf(failure)),
    )
  }, [load])

  useEffect(() => {
    retry()
    if (everyMs === undefined) return
    return everyVisible(everyMs, retry)
  }, [retry, everyMs])

  return { data, error, retry }
}
