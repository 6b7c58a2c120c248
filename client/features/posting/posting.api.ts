import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#client/lib/http/api.ts'
import { refetchOwnPosts } from '#client/lib/post/cached-posts.ts'
import { postKey } from '#client/lib/query/query-keys.ts'
import { dealerIn } from '#client/lib/session/current-dealer.ts'
import { uploadFile } from '#client/lib/files/upload-file.ts'
import { usePostPatch } from '#client/ui/end-auction-question.tsx'
import { vinLength } from '#shared/limits.ts'
import type { SheetColumnChoice, SheetPreview, SheetReport } from '#shared/schemas/posting.ts'

export function vinQuery(vin: string) {
  return queryOptions({
    queryKey: ['/api/vin', vin] as const,
    queryFn: ({ signal }) => call(`/api/vin/${encodeURIComponent(vin)}`, { signal }),
    enabled: vin.length === vinLength,
    retry: false,
  })
}

/** Fetches a post for editing. The post is never cached, so that nobody edits a stale copy. */
export function editQuery(postId: string) {
  return queryOptions({
    queryKey: ['/api/inventory', 'edit', postId] as const,
    queryFn: ({ signal }) => call(`/api/inventory/${encodeURIComponent(postId)}`, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Saves an edited post. Callers must render `question`, which asks for confirmation before an auction ends. */
export function useSavePost(postId: string) {
  const cache = useQueryClient()
  return usePostPatch(postId, 'Post not changed', () =>
    Promise.all([refetchOwnPosts(cache), cache.invalidateQueries({ queryKey: postKey(postId) })]),
  )
}

/** The import report of a spreadsheet post. Each import increments `version`. The previous report is shown until the new one arrives. */
export function sheetQuery(postId: string, version: number) {
  return queryOptions({
    placeholderData: (before: SheetReport | null | undefined, query) =>
      query?.queryKey[2] === postId ? before : undefined,
    queryKey: ['/api/inventory', 'sheet', postId, version] as const,
    queryFn: async ({ signal }): Promise<SheetReport | null> => {
      try {
        return await call(`/api/inventory/${postId}/sheet`, { signal })
      } catch (error) {
        // The server has no report for posts made before import reports existed.
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })
}

interface SheetChange<Variables> {
  /** Returns the new report, or undefined if the owner canceled. */
  send: (variables: Variables) => Promise<SheetReport | undefined>
  /** Title of the toast if the server rejects the change. */
  refused: string
}

/** Changes the import of a spreadsheet post and shows its new report. */
export function useSheetChange<Variables = void>(
  postId: string,
  version: number,
  { send, refused }: SheetChange<Variables>,
) {
  const cache = useQueryClient()
  const { queryKey } = sheetQuery(postId, version)
  return useMutation({
    mutationFn: send,
    onMutate: () => dealerIn(cache),
    onSuccess: (report, _variables, dealerAtStart) => {
      if (report !== undefined && dealerIn(cache) === dealerAtStart) cache.setQueryData(queryKey, report)
    },
    // Refetch the report: another tab may have decided first, or a newer import may have replaced this one.
    onError: () => cache.invalidateQueries({ queryKey }),
    meta: { refused },
  })
}

export type SheetSource = { objectId: string } | { url: string }

export async function uploadSheet(file: File): Promise<SheetSource> {
  const url = await uploadFile(file, { kind: 'sheet', signal: new AbortController().signal })
  return { objectId: url.slice(url.lastIndexOf('/') + 1) }
}

/** `columns` overrides which column each field is read from. The server remembers this choice for sheets with the same headings. */
export const previewSheet = (source: SheetSource, columns?: SheetColumnChoice): Promise<SheetPreview> =>
  call('/api/spreadsheets/preview', { method: 'POST', body: { ...source, ...(columns && { columns }) } })
