import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SheetColumnChoice, SheetPreview } from '#shared/schemas/posting.ts'
import { previewSheet, type SheetSource, uploadSheet } from './posting.api.ts'

interface ReadSheet {
  source: SheetSource
  preview: SheetPreview
}

export function useSheetPreview(onRead?: (source: SheetSource, preview: SheetPreview) => void) {
  const [corrected, setCorrected] = useState<ReadSheet>()
  const read = useMutation({
    mutationFn: async (from: File | SheetSource): Promise<ReadSheet> => {
      const source = from instanceof File ? await uploadSheet(from) : from
      return { source, preview: await previewSheet(source) }
    },
    onSuccess: ({ source, preview }) => onRead?.(source, preview),
  })
  const correct = useMutation({
    mutationFn: async ({
      source,
      columns,
    }: {
      source: SheetSource
      columns: SheetColumnChoice
    }): Promise<ReadSheet> => ({
      source,
      preview: await previewSheet(source, columns),
    }),
    onSuccess: (sheet) => {
      setCorrected(sheet)
      onRead?.(sheet.source, sheet.preview)
    },
    meta: { refused: 'Columns not changed' },
  })
  const source = read.data?.source
  return {
    read,
    source,
    // Ignore a correction if its preview was closed or replaced in the meantime.
    preview: corrected !== undefined && corrected.source === source ? corrected.preview : read.data?.preview,
    columns: {
      busy: correct.isPending,
      onChoose: (columns: SheetColumnChoice) => {
        if (source !== undefined) correct.mutate({ source, columns })
      },
    },
  }
}
