import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toast } from '#client/ui/toast-store.ts'
import { vinLength } from '#shared/limits.ts'
import {
  autoFilledMessage,
  composerVinMessage,
  decodeComposerVin,
  type DecodedVin,
  hasForbiddenLetters,
  vinDecodedTitle,
  vinUnknownMessage,
  vinUnknownTitle,
} from '#shared/vin.ts'
import { vinQuery } from './posting.api.ts'

/** The documented pause of the composer's look-up. */
const lookUpMs = 1_000

/** Looks a complete VIN up: a spinner for a second, then the fields are filled. */
export function useComposerVin(vin: string, fill: (decoded: DecodedVin & { trim?: string | undefined }) => void) {
  const full = vin.length === vinLength
  const { data: report } = useQuery({ ...vinQuery(vin), enabled: full && !hasForbiddenLetters(vin) })
  const [lookedUp, setLookedUp] = useState('')
  const latest = useRef({ onDecoded: fill, report })
  useEffect(() => {
    latest.current = { onDecoded: fill, report }
  }, [fill, report])
  useEffect(() => {
    if (!full) return
    const timer = setTimeout(() => {
      setLookedUp(vin)
      const decoded = { ...decodeComposerVin(vin), ...beyondTables(latest.current.report) }
      if (decoded.make === undefined) {
        toast({ title: vinUnknownTitle, description: vinUnknownMessage, variant: 'destructive' })
        return
      }
      latest.current.onDecoded(decoded)
      toast({ title: vinDecodedTitle, description: autoFilledMessage(decoded) })
    }, lookUpMs)
    return () => clearTimeout(timer)
  }, [vin, full])
  return { looking: full && lookedUp !== vin, error: errorOf(vin), report: lookedUp === vin ? report : undefined }
}

function errorOf(vin: string): string | undefined {
  if (vin === '') return undefined
  if (vin.length < vinLength) return composerVinMessage
  return hasForbiddenLetters(vin) ? 'A VIN never contains the letters I, O or Q' : undefined
}

function beyondTables(report: { make: string | null; model: string | null; trim: string | null } | undefined) {
  return {
    ...(report?.make && { make: report.make }),
    ...(report?.model && { model: report.model }),
    ...(report?.trim && { trim: report.trim }),
  }
}
