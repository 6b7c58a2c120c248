import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#client/lib/http/api.ts'
import { feedsKey, postKey } from '#client/lib/query/query-keys.ts'
import { uploadFile } from '#client/lib/files/upload-file.ts'
import { usePostPatch } from '#client/ui/end-auction-question.tsx'
import { vinLength } from '#shared/limits.ts'
import type { SheetColumnChoice, SheetPreview } from '#shared/schemas/posting.ts'

export function vinQuery(vin: string) {
  return queryOptions({
    queryKey: ['/api/vin', vin] as const,
    queryFn: ({ signal }) => call(`/api/vin/${encodeURIComponent(vin)}`, { signal }),
    enabled: vin.length === vinLength,
    retry: false,
  })
}

/** Never cached, so that nobody edits a stale copy. */
export function editQuery(postId: string) {
  return queryOptions({
    queryKey: ['/api/inventory', 'edit', postId] as const,
    queryFn: ({ signal }) => call(`/api/inventory/${encodeURIComponent(postId)}`, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Saves an edited post. Render `question`, which confirms ending the auction. Other screens update by event. */
export function useSavePost(postId: string) {
  const cache = useQueryClient()
  return usePostPatch(postId, 'Post not changed', () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: feedsKey }),
      cache.invalidateQueries({ queryKey: postKey(postId) }),
    ]),
  )
}

/** The import report of a spreadsheet post. Each import raises the version. */
export function sheetQuery(postId: string, version: number) {
  return queryOptions({
    queryKey: ['/api/inventory', 'sheet', postId, version] as const,
    queryFn: async ({ signal }) => {
      try {
        return await call(`/api/inventory/${postId}/sheet`, { signal })
      } catch (error) {
        // The post predates import reports.
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })
}

/** Where a spreadsheet comes from: an uploaded file or a link. */
export type SheetSource = { objectId: string } | { url: string }

/** Uploads a spreadsheet file. */
export async function uploadSheet(file: File): Promise<SheetSource> {
  const url = await uploadFile(file, { kind: 'sheet', signal: new AbortController().signal })
  return { objectId: url.slice(url.lastIndexOf('/') + 1) }
}

/** Reads a spreadsheet. `columns` corrects which column is read for which field, and is remembered for its headings. */
export const previewSheet = (source: SheetSource, columns?: SheetColumnChoice): Promise<SheetPreview> =>
  call('/api/spreadsheets/preview', { method: 'POST', body: { ...source, ...(columns && { columns }) } })
