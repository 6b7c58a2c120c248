import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleX, ScanBarcode, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isFlag } from '#client/lib/guards.ts'
import { defineStored } from '#client/lib/storage.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { vinLength } from '#shared/limits.ts'
import type { VinReport } from '#shared/schemas/posting.ts'
import {
  autoFilledMessage,
  composerVinMessage,
  decodeComposerVin,
  decodeDialogVin,
  type DecodedVin,
  dialogVinMessage,
  hasForbiddenLetters,
  vinDecodedTitle,
  vinUnknownMessage,
  vinUnknownTitle,
} from '#shared/vin.ts'
import { vinQuery } from '../posting.api.ts'
import type { FoundByVin } from '../vehicle-draft.ts'
import { useVinEntry } from './use-vin-entry.ts'
import type { VinScanner } from './vin-scanner.tsx'

/** How a form looks a VIN up. */
export interface VinLookUp {
  /** By the tables, without the server. */
  decode: (vin: string) => DecodedVin | undefined
  /** What is wrong with it, in the words of the form. The server is asked about what is complete and right. */
  errorOf: (vin: string) => string | undefined
  /** Before anything is filled; a spinner turns so long. */
  pauseMs: number
  /** Says beside the field, too, what a toast says. */
  saysBeside: boolean
}

export const dialogLookUp: VinLookUp = {
  decode: decodeDialogVin,
  errorOf: dialogVinMessage,
  pauseMs: 0,
  saysBeside: true,
}

/** With the documented pause of the composer. */
export const composerLookUp: VinLookUp = {
  decode: decodeComposerVin,
  errorOf: composerErrorOf,
  pauseMs: 1_000,
  saysBeside: false,
}

function composerErrorOf(vin: string): string | undefined {
  if (vin === '') return undefined
  if (vin.length < vinLength) return composerVinMessage
  return hasForbiddenLetters(vin) ? 'A VIN never contains the letters I, O or Q' : undefined
}

/** Who scanned last time finds the camera open. */
export const storedScans = defineStored<boolean>({ key: 'lanewire.scans', version: 1, isValue: isFlag })

/** A camera that is opened by a press elsewhere. */
export interface VinScan {
  start: boolean
  onEnd: () => void
}

interface VinFieldProps {
  vin: string
  lookUp: VinLookUp
  onChange: (vin: string) => void
  /** The camera has read it. */
  onScanned: (vin: string) => void
  /** Told what the VIN says; decides which fields may take it. */
  onFound: (found: FoundByVin) => void
  /** The vehicle is on offer already. */
  editing?: boolean
  /** The form was refused for it. */
  refusal?: string | undefined
  scan?: VinScan | undefined
}

/**
 * Upper-case, 17 characters at most, with a counter, and on a phone the camera; under it what a look-up found, and what is wrong
 * with the VIN.
 */
export function VinField({ vin, lookUp, onChange, onScanned, onFound, editing = false, refusal, scan }: VinFieldProps) {
  const { looking, error, outcome, report } = useVinFill(vin, lookUp, onFound)
  const full = vin.length === vinLength
  const { fault, enter } = useVinEntry(vin, onChange)
  const problem = fault ?? error
  const { Scanner, opening, open, close } = useScanner(scan)
  return (
    <>
      <div className="flex items-start gap-2">
        <Field label="VIN" error={problem ?? refusal} className="flex-1">
          <Input
            value={vin}
            onChange={(event) => enter(event.target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className="vin uppercase"
            trailing={
              <>
                {looking ? <Spinner size={14} /> : null}
                {full && !looking && !problem ? (
                  <CircleCheck size={16} className="text-success-ink" aria-hidden="true" />
                ) : null}
                {vin.length}/{vinLength}
              </>
            }
          />
        </Field>
        {/* Level with the input, below its label. */}
        <span className="mt-6 hidden max-md:block touch:block">
          <Button icon={<ScanBarcode size={18} />} aria-expanded={Scanner !== undefined} busy={opening} onClick={open}>
            Scan
          </Button>
        </span>
      </div>
      {Scanner ? (
        <Scanner
          onVin={(read) => {
            storedScans.write(true)
            close()
            onScanned(read)
          }}
          onClose={() => {
            storedScans.write(undefined)
            close()
          }}
        />
      ) : null}
      {lookUp.saysBeside && outcome ? <Outcome {...outcome} /> : null}
      {report ? <VinWarnings report={report} editing={editing} /> : null}
    </>
  )
}

/** The camera's code comes when it is opened. */
function useScanner(scan: VinScan | undefined) {
  const [Scanner, setScanner] = useState<typeof VinScanner>()
  const [opening, setOpening] = useState(false)
  const open = async () => {
    setOpening(true)
    try {
      const { VinScanner } = await import('./vin-scanner.tsx')
      setScanner(() => VinScanner)
    } catch {
      toast({ title: 'Camera not opened', description: 'Check your connection and try again.', variant: 'destructive' })
    }
    setOpening(false)
  }
  const start = useEffectEvent(() => void open())
  const asked = scan?.start === true
  useEffect(() => {
    if (asked) start()
  }, [asked])
  const close = () => {
    setScanner(undefined)
    scan?.onEnd()
  }
  return { Scanner, opening, open: () => void open(), close }
}

interface VinOutcome {
  vin: string
  found: boolean
  title: string
  text: string
}

/**
 * Looks a VIN up as soon as it is complete: by the tables and what the server has said by then, then by what it says later.
 * The VIN that a form opens with was looked up before.
 * @param fill is given what was found; it decides which fields may take it
 */
function useVinFill(vin: string, { decode, errorOf, pauseMs }: VinLookUp, fill: (found: FoundByVin) => void) {
  const cache = useQueryClient()
  const full = vin.length === vinLength
  const error = errorOf(vin)
  const asks = full && error === undefined
  const { data: report } = useQuery({ ...vinQuery(vin), enabled: asks })
  const [lookedUp, setLookedUp] = useState(vin)
  const [outcome, setOutcome] = useState<VinOutcome>()
  const opened = useRef(vin)
  const onFound = useEffectEvent(fill)
  useEffect(() => {
    if (opened.current !== vin) opened.current = ''
    if (!full || opened.current === vin) return
    let isLeft = false
    const lookUp = async () => {
      const query = vinQuery(vin)
      const answer = asks ? cache.ensureQueryData(query).catch(() => undefined) : undefined
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      if (isLeft) return
      setLookedUp(vin)
      const known = { ...decode(vin), ...foundIn(cache.getQueryData(query.queryKey)) }
      onFound(known)
      if (known.make !== undefined) setOutcome(tellFound(vin, known))
      const more = foundIn(await answer)
      if (isLeft) return
      onFound(more)
      if (known.make === undefined) setOutcome(tellAll(vin, { ...known, ...more }))
    }
    void lookUp()
    return () => {
      isLeft = true
    }
  }, [vin, full, asks, decode, pauseMs, cache])
  const isLooking = full && lookedUp !== vin
  return {
    error,
    looking: pauseMs > 0 && isLooking,
    outcome: outcome?.vin === vin ? outcome : undefined,
    report: full && !isLooking ? report : undefined,
  }
}

function tellFound(vin: string, found: DecodedVin): VinOutcome {
  const text = autoFilledMessage(found)
  toast({ title: vinDecodedTitle, description: text })
  return { vin, found: true, title: vinDecodedTitle, text }
}

const tellAll = (vin: string, found: DecodedVin): VinOutcome =>
  found.make === undefined && found.year === undefined ? tellUnknown(vin) : tellFound(vin, found)

function tellUnknown(vin: string): VinOutcome {
  toast({ title: vinUnknownTitle, description: vinUnknownMessage, variant: 'destructive' })
  return { vin, found: false, title: vinUnknownTitle, text: vinUnknownMessage }
}

function foundIn(report: VinReport | undefined): FoundByVin {
  const { year, make, model, trim } = report ?? {}
  return { ...(year && { year }), ...(make && { make }), ...(model && { model }), ...(trim && { trim }) }
}

/** Says what a look-up found, where the dealer is looking; the toast says it too. */
function Outcome({ title, text, found }: VinOutcome) {
  const Icon = found ? CircleCheck : CircleX
  return (
    <p
      className={
        found
          ? 'flex flex-wrap items-center gap-2 rounded-md bg-success-soft px-3 py-2 text-success-ink'
          : 'flex flex-wrap items-center gap-2 rounded-md bg-hover px-3 py-2 text-ink-2'
      }
    >
      <Icon size={16} aria-hidden="true" />
      <span className="font-semibold">{title}</span>
      {text}
    </p>
  )
}

/** A wrong check digit, or the same VIN on offer elsewhere: said, never a block. */
function VinWarnings({ report, editing }: { report: VinReport; editing: boolean }) {
  // While a post is edited its own VIN is no news.
  const first = report.activePosts.find(({ own }) => !editing || !own)
  return (
    <>
      {report.checkDigitHolds ? null : (
        <VinWarning>
          The check digit does not match: the 9th character should be {report.expectedCheckDigit ?? 'another one'}.
          Compare with the title.
        </VinWarning>
      )}
      {first ? (
        <VinWarning>
          This VIN is already active in the network: {first.own ? 'your own post' : first.dealershipName}, “
          {first.title}
          ”.
        </VinWarning>
      ) : null}
    </>
  )
}

function VinWarning({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      <TriangleAlert size={16} className="mt-0.5 flex-none" aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}
