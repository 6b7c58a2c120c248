import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toast } from '#client/ui/toast-store.ts'
import { vinLength } from '#shared/limits.ts'
import type { VinReport } from '#shared/schemas/posting.ts'
import {
  autoFilledMessage,
  decodeDialogVin,
  type DecodedVin,
  vinDecodedTitle,
  vinUnknownMessage,
  vinUnknownTitle,
} from '#shared/vin.ts'
import { vinQuery } from './posting.api.ts'

export interface VinOutcomeText {
  found: boolean
  title: string
  text: string
}

/**
 * Decodes a VIN as soon as it is complete: by the tables at once, then by what the server knows beyond them.
 * @param fill is given what was found; it decides which fields may take it
 */
export function useVinFill(vin: string, fill: (decoded: DecodedVin & { trim?: string | undefined }) => void) {
  const { data: report, error } = useQuery(vinQuery(vin))
  const [outcome, setOutcome] = useState<VinOutcomeText>()
  const filled = useRef<string>(vin)
  const settled = useRef(vin)
  const full = vin.length === vinLength
  useEffect(() => {
    if (!full || filled.current === vin) {
      if (!full) filled.current = ''
      return
    }
    filled.current = vin
    const decoded = decodeDialogVin(vin)
    setOutcome(decoded ? outcomeOf(decoded) : undefined)
    if (decoded) fill(decoded)
  }, [vin, full, fill])
  useEffect(() => {
    if (!full) settled.current = ''
    if (!full || settled.current === vin || (!report && !error)) return
    settled.current = vin
    const more = report ? fromReport(report) : undefined
    if (more) fill(more)
    if (decodeDialogVin(vin) === undefined) setOutcome(more?.make ? outcomeOf(more) : unknownOutcome())
  }, [vin, full, report, error, fill])
  return { outcome: full ? outcome : undefined, report: full ? report : undefined }
}

function outcomeOf(decoded: DecodedVin): VinOutcomeText {
  const text = autoFilledMessage(decoded)
  toast({ title: vinDecodedTitle, description: text })
  return { found: true, title: vinDecodedTitle, text }
}

function unknownOutcome(): VinOutcomeText {
  toast({ title: vinUnknownTitle, description: vinUnknownMessage, variant: 'destructive' })
  return { found: false, title: vinUnknownTitle, text: vinUnknownMessage }
}

function fromReport({ year, make, model, trim }: VinReport): DecodedVin & { trim?: string | undefined } {
  return {
    ...(year !== null && { year }),
    ...(make !== null && { make }),
    ...(model !== null && { model }),
    ...(trim !== null && { trim }),
  }
}
