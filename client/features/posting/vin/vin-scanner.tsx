import Camera from 'lucide-react/icons/camera'
import X from 'lucide-react/icons/x'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { FileDrop } from '#client/ui/file-drop.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { hasSeveralVins, scannedVin } from '#shared/vin/vin.ts'
import { type CodeReader, isDark, openCodeReader } from './vin-reader.ts'

const scanEveryMs = 120
/** Milliseconds without a result before the scanner shows a hint about light and distance. */
const slowMs = 6_000

const noReader = "The scanner could not be loaded. Type the VIN, or try again when you're back online."

/** Messages by the name of the browser's error. Only the name `insecure` is our own. */
const cameraErrors: Record<string, string> = {
  NotAllowedError: 'Camera access was denied. Allow it for this site in your browser settings, or take a photo.',
  NotFoundError: 'No camera was found. Choose a photo of the barcode instead.',
  NotReadableError: 'Another app is using the camera. Close it there, or take a photo.',
  insecure: 'The camera works only over a secure connection (https). Take a photo of the barcode instead.',
}
const otherCameraError = 'The camera could not be opened. Take a photo of the barcode instead.'

type ScanState =
  | { state: 'opening' }
  | { state: 'looking'; hint?: 'dark' | 'slow' }
  /** The scanned VIN has a wrong check digit: it was misread, or the vehicle's VIN has no check digit. */
  | { state: 'doubtful'; vin: string }
  | { state: 'trouble'; text: string }

const hints = {
  dark: 'It is too dark to read. Turn on a light, or take a photo with the flash.',
  slow: 'Nothing scanned yet. Hold the phone about four inches from the barcode in good light, or take a photo.',
}

interface VinScannerProps {
  /** Called once with a VIN that has a valid check digit, or that the dealer confirmed. */
  onVin: (vin: string) => void
  onClose: () => void
}

export function VinScanner({ onVin, onClose }: VinScannerProps) {
  const [scan, setScan] = useState<ScanState>({ state: 'opening' })
  const video = useCamera(setScan, onVin)
  const [reading, setReading] = useState(false)
  const readPhoto = async (file: File | undefined) => {
    if (!file) return
    setReading(true)
    const became = await vinOfPhoto(file)
    setReading(false)
    if (became.state === 'found') onVin(became.vin)
    else setScan(became)
  }
  return (
    <section aria-label="Scan VIN" className="grid gap-2 rounded-md border border-line bg-sunken p-2">
      <div className="relative overflow-hidden rounded-md bg-black">
        {/* The live camera image is muted and has no audio to caption. */}
        <video ref={video} muted playsInline aria-hidden="true" className="block aspect-video w-full object-cover" />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-x-6 inset-y-1/3 rounded-sm border-2 border-white"
        />
        <IconButton
          label="Close camera"
          icon={<X size={18} />}
          onClick={onClose}
          className="absolute! top-1 right-1 on-photo rounded-full text-white!"
        />
      </div>
      <div role="status" className="min-h-10 text-ink-2">
        <ScanStatus scan={scan} onUse={onVin} />
      </div>
      <FileDrop
        label={reading ? 'Reading the photo...' : 'Take or choose a photo'}
        icon={<Camera size={20} />}
        accept="image/*"
        capture="environment"
        disabled={reading}
        onFiles={([file]) => void readPhoto(file)}
        className="min-h-11 flex-row"
      />
    </section>
  )
}

function ScanStatus({ scan, onUse }: { scan: ScanState; onUse: (vin: string) => void }) {
  if (scan.state === 'opening')
    return (
      <p className="flex items-center gap-2">
        <Spinner size={14} /> Opening the camera
      </p>
    )
  if (scan.state === 'trouble') return <p className="text-danger-ink">{scan.text}</p>
  if (scan.state === 'doubtful')
    return (
      <div className="flex flex-wrap items-center gap-2">
        <p>
          <span className="vin">{scan.vin}</span> was read, but its check digit does not match.
        </p>
        <Button onClick={() => onUse(scan.vin)}>Use it anyway</Button>
      </div>
    )
  return <p>{scan.hint ? hints[scan.hint] : 'Point the camera at the VIN barcode.'}</p>
}

/** Returns the first VIN with a valid check digit, or else the first text that may be a VIN. Undefined if there are several VINs. */
function bestVin(texts: readonly string[]): ReturnType<typeof scannedVin> {
  if (hasSeveralVins(texts.join(' '))) return undefined
  const found = texts.map(scannedVin).filter((one) => one !== undefined)
  return found.find(({ holds }) => holds) ?? found[0]
}

async function vinOfPhoto(file: File): Promise<ScanState | { state: 'found'; vin: string }> {
  let reader: CodeReader | undefined
  let source: ImageBitmap | undefined
  try {
    source = await createImageBitmap(file, { imageOrientation: 'from-image' })
    reader = await openCodeReader()
    const texts = await reader.read({ source, width: source.width, height: source.height })
    if (hasSeveralVins(texts.join(' ')))
      return { state: 'trouble', text: 'This photo shows more than one VIN. Take a photo of one at a time.' }
    const found = bestVin(texts)
    if (found === undefined)
      return {
        state: 'trouble',
        text: 'No VIN could be read from this photo. Take it closer and straight on, in good light.',
      }
    return found.holds ? { state: 'found', vin: found.vin } : { state: 'doubtful', vin: found.vin }
  } catch {
    return { state: 'trouble', text: noReader }
  } finally {
    reader?.close()
    source?.close()
  }
}

function cameraErrorOf(error: unknown): ScanState {
  const name = error instanceof DOMException ? error.name : ''
  return { state: 'trouble', text: cameraErrors[name] ?? otherCameraError }
}

/** Opens the rear camera and scans until a VIN is found or the scanner closes. */
function useCamera(setScan: (scan: ScanState) => void, onVin: (vin: string) => void) {
  const video = useRef<HTMLVideoElement>(null)
  const showScan = useEffectEvent(setScan)
  const found = useEffectEvent(onVin)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    let stream: MediaStream | undefined
    let reader: CodeReader | undefined
    const run = async () => {
      // `mediaDevices` is missing on insecure pages (http).
      if (!('mediaDevices' in navigator))
        return showScan({ state: 'trouble', text: cameraErrors['insecure'] ?? otherCameraError })
      try {
        stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'environment', width: { ideal: 1_920 } },
        })
      } catch (error) {
        if (!signal.aborted) showScan(cameraErrorOf(error))
        return
      }
      const element = video.current
      if (signal.aborted || !element) return stopTracks(stream)
      element.srcObject = stream
      try {
        await element.play()
        reader = await openCodeReader()
        if (signal.aborted) return reader.close()
        showScan({ state: 'looking' })
        const vin = await scanUntilFound(element, reader, signal, showScan)
        if (vin !== undefined) found(vin)
      } catch {
        if (!signal.aborted) showScan({ state: 'trouble', text: noReader })
      }
    }
    void run()
    return () => {
      stop.abort()
      reader?.close()
      stopTracks(stream)
    }
  }, [])
  return video
}

function stopTracks(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

/** Scans until a VIN is found, and returns it. Returns undefined if the scanner was closed before. */
async function scanUntilFound(
  element: HTMLVideoElement,
  reader: CodeReader,
  signal: AbortSignal,
  showScan: (scan: ScanState) => void,
): Promise<string | undefined> {
  const since = Date.now()
  let scan: ScanState = { state: 'looking' }
  while (!signal.aborted) {
    const picture = { source: element, width: element.videoWidth, height: element.videoHeight }
    const found = picture.width > 0 ? bestVin(await reader.read(picture)) : undefined
    if (signal.aborted) return undefined
    if (found?.holds) return found.vin
    const next = nextScanState(scan, found?.vin, element, Date.now() - since)
    // Update only when the state changes. Otherwise, a screen reader would repeat the text after every scan.
    if (JSON.stringify(next) !== JSON.stringify(scan)) showScan(next)
    scan = next
    await new Promise((resolve) => setTimeout(resolve, scanEveryMs))
  }
  return undefined
}

/** Returns what to show after a scan. Keeps a doubtful VIN on screen, because the dealer may be about to confirm it. */
function nextScanState(
  scan: ScanState,
  doubtful: string | undefined,
  source: HTMLVideoElement,
  scannedMs: number,
): ScanState {
  if (doubtful !== undefined) return { state: 'doubtful', vin: doubtful }
  if (scan.state === 'doubtful' || scannedMs < slowMs) return scan
  return { state: 'looking', hint: isDark({ source }) ? 'dark' : 'slow' }
}
