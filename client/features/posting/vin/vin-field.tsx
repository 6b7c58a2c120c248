import { useQuery, useQueryClient } from '@tanstack/react-query'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleX from 'lucide-react/icons/circle-x'
import ScanBarcode from 'lucide-react/icons/scan-barcode'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isFlag } from '#client/lib/http/type-guards.ts'
import { defineStored } from '#client/lib/storage/browser-storage.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { vinLength } from '#shared/limits.ts'
import type { VinReport } from '#shared/schemas/posting.ts'
import { readTypedVin } from '#shared/vin/vin-text.ts'
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
} from '#shared/vin/vin.ts'
import { vinQuery } from '../posting.api.ts'
import { forgetSharedVin, isSharedVin } from '../received-share/shared-post.ts'
import type { FoundByVin } from '../vehicle-draft.ts'
import type { VinScanner } from './vin-scanner.tsx'

export interface VinLookUp {
  decode: (vin: string) => DecodedVin | undefined
  /** Returns the error for a VIN, or undefined. Only valid VINs are looked up on the server. */
  errorOf: (vin: string) => string | undefined
  /** Milliseconds to show a spinner before the fields are filled. */
  pauseMs: number
  /** True if the text of the toast is also shown next to the field. */
  showsOutcome: boolean
}

export const dialogLookUp: VinLookUp = {
  decode: decodeDialogVin,
  errorOf: dialogVinMessage,
  pauseMs: 0,
  showsOutcome: true,
}

export const composerLookUp: VinLookUp = {
  decode: decodeComposerVin,
  errorOf: composerErrorOf,
  pauseMs: 1_000,
  showsOutcome: false,
}

function composerErrorOf(vin: string): string | undefined {
  if (vin === '') return undefined
  if (vin.length < vinLength) return composerVinMessage
  return hasForbiddenLetters(vin) ? 'A VIN never contains the letters I, O or Q' : undefined
}

/** True if the dealer scanned a VIN last time. On a phone, the camera then opens automatically for a new post. */
export const storedScans = defineStored<boolean>({ key: 'lanewire.scans', version: 1, isValue: isFlag })

export interface VinScan {
  start: boolean
  onEnd: () => void
}

interface VinFieldProps {
  vin: string
  lookUp: VinLookUp
  onChange: (vin: string) => void
  onScanned: (vin: string) => void
  onFound: (found: FoundByVin) => void
  editing?: boolean
  refusal?: string | undefined
  scan?: VinScan | undefined
}

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
        {/* Aligns the button with the input, which is below its label. */}
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
      {lookUp.showsOutcome && outcome ? <Outcome {...outcome} /> : null}
      {report ? <VinWarnings report={report} editing={editing} /> : null}
    </>
  )
}

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

/** Looks up a complete VIN and fills the fields. Skips the VIN that the form opened with, unless another app has just shared it. */
function useVinFill(vin: string, { decode, errorOf, pauseMs }: VinLookUp, fill: (found: FoundByVin) => void) {
  const cache = useQueryClient()
  const full = vin.length === vinLength
  const error = errorOf(vin)
  const isAskingServer = full && error === undefined
  const { data: report } = useQuery({ ...vinQuery(vin), enabled: isAskingServer })
  const [lookedUp, setLookedUp] = useState(vin)
  const [outcome, setOutcome] = useState<VinOutcome>()
  const [isShared] = useState(() => isSharedVin(vin))
  const opened = useRef(isShared ? '' : vin)
  const onFound = useEffectEvent(fill)
  useEffect(() => {
    if (opened.current !== vin) opened.current = ''
    if (!full || opened.current === vin) return
    let isCanceled = false
    forgetSharedVin(vin)
    const lookUp = async () => {
      const query = vinQuery(vin)
      const answer = isAskingServer ? cache.ensureQueryData(query).catch(() => undefined) : undefined
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      if (isCanceled) return
      setLookedUp(vin)
      const known = { ...decode(vin), ...foundIn(cache.getQueryData(query.queryKey)) }
      onFound(known)
      if (known.make !== undefined) setOutcome(outcomeOfFound(vin, known))
      const more = foundIn(await answer)
      if (isCanceled) return
      onFound(more)
      if (known.make === undefined) setOutcome(outcomeOf(vin, { ...known, ...more }))
    }
    void lookUp()
    return () => {
      isCanceled = true
    }
  }, [vin, full, isAskingServer, decode, pauseMs, cache])
  const isLooking = full && lookedUp !== vin
  return {
    error,
    looking: pauseMs > 0 && isLooking,
    outcome: outcome?.vin === vin ? outcome : undefined,
    report: full && !isLooking ? report : undefined,
  }
}

function outcomeOfFound(vin: string, found: DecodedVin): VinOutcome {
  const text = autoFilledMessage(found)
  toast({ title: vinDecodedTitle, description: text })
  return { vin, found: true, title: vinDecodedTitle, text }
}

const outcomeOf = (vin: string, found: DecodedVin): VinOutcome =>
  found.make === undefined && found.year === undefined ? outcomeOfUnknown(vin) : outcomeOfFound(vin, found)

function outcomeOfUnknown(vin: string): VinOutcome {
  toast({ title: vinUnknownTitle, description: vinUnknownMessage, variant: 'destructive' })
  return { vin, found: false, title: vinUnknownTitle, text: vinUnknownMessage }
}

function foundIn(report: VinReport | undefined): FoundByVin {
  const { year, make, model, trim } = report ?? {}
  return { ...(year && { year }), ...(make && { make }), ...(model && { model }), ...(trim && { trim }) }
}

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

/** Warnings about the VIN. They do not prevent posting. */
function VinWarnings({ report, editing }: { report: VinReport; editing: boolean }) {
  // While the dealer is editing a post, do not warn about their own posts with this VIN.
  const first = report.activePosts.find(({ own }) => !editing || !own)
  return (
    <>
      {report.checkDigitHolds ? null : (
        <VinWarning>
          The check digit does not match: the 9th character should be{' '}
          {report.expectedCheckDigit ?? 'a different character'}. Compare with the title.
        </VinWarning>
      )}
      {first ? (
        <VinWarning>
          This VIN is already posted: {first.own ? 'your own post' : first.dealershipName}, “{first.title}
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

/** Reads typed text as a VIN. If the text is too long or contains two VINs, keeps the field's value and shows an error. */
function useVinEntry(vin: string, onChange: (vin: string) => void) {
  const [refused, setRefused] = useState<{ fault: string; vin: string }>()
  const enter = (text: string) => {
    const reading = readTypedVin(text)
    setRefused('fault' in reading ? { fault: reading.fault, vin } : undefined)
    if ('vin' in reading) onChange(reading.vin)
  }
  return { fault: refused?.vin === vin ? refused.fault : undefined, enter }
}
