export interface ReadRequest {
  id: number
  picture: ImageData
}

export type ReadAnswer = { id: number } & ({ texts: string[] } | { failure: string })

export interface Picture {
  source: CanvasImageSource
  width: number
  height: number
}

export interface CodeReader {
  read: (picture: Picture) => Promise<string[]>
  close: () => void
}

/** The browser's barcode detector: https://wicg.github.io/shape-detection-api/#barcode-detection-api */
interface Detector {
  detect: (source: ImageBitmapSource) => Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

/** The barcode formats used for VINs on doors, behind windshields and on titles. */
const formats = ['code_39', 'code_128', 'qr_code', 'data_matrix']

/** Larger images take longer to decode without being read more reliably. */
const widestPx = 1_600

function createStage() {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return ({ source, width, height }: Picture) => {
    const scale = Math.min(1, widestPx / Math.max(width, height, 1))
    canvas.width = Math.max(1, Math.round(width * scale))
    canvas.height = Math.max(1, Math.round(height * scale))
    context?.drawImage(source, 0, 0, canvas.width, canvas.height)
    return { canvas, pixels: () => context?.getImageData(0, 0, canvas.width, canvas.height) }
  }
}

async function nativeReader(): Promise<CodeReader | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  if (BarcodeDetector === undefined) return undefined
  const supported = await BarcodeDetector.getSupportedFormats().catch((): string[] => [])
  const wanted = formats.filter((format) => supported.includes(format))
  if (!wanted.includes('code_39')) return undefined
  const detector = new BarcodeDetector({ formats: wanted })
  const draw = createStage()
  return {
    read: async (picture) => (await detector.detect(draw(picture).canvas)).map(({ rawValue }) => rawValue),
    close: () => undefined,
  }
}

/** Runs in a worker, because the content security policy allows WebAssembly only there. */
function workerReader(): CodeReader {
  const worker = new Worker(new URL('./vin-worker.ts', import.meta.url), { type: 'module' })
  const draw = createStage()
  const waiting = new Map<number, { resolve: (texts: string[]) => void; reject: (error: Error) => void }>()
  let lastId = 0
  worker.addEventListener('message', ({ data }: MessageEvent<ReadAnswer>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if ('texts' in data) asked?.resolve(data.texts)
    else asked?.reject(new Error(data.failure))
  })
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The scanner could not be started'))
    waiting.clear()
  })
  return {
    read: (picture) =>
      new Promise((resolve, reject) => {
        const pixels = draw(picture).pixels()
        if (pixels === undefined) {
          resolve([])
          return
        }
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        worker.postMessage({ id: lastId, picture: pixels } satisfies ReadRequest)
      }),
    close: () => worker.terminate(),
  }
}

export const openCodeReader = async (): Promise<CodeReader> => (await nativeReader()) ?? workerReader()

const darkBelow = 40
const sampleEdge = 24

/** True if a picture is too dark to read, based on its mean brightness (0 to 255). */
export function isDark({ source }: Pick<Picture, 'source'>): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = sampleEdge
  canvas.height = sampleEdge
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return false
  context.drawImage(source, 0, 0, sampleEdge, sampleEdge)
  const { data } = context.getImageData(0, 0, sampleEdge, sampleEdge)
  let sum = 0
  for (let at = 0; at < data.length; at += 4) sum += (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)
  return sum / 3 / (sampleEdge * sampleEdge) < darkBelow
}
