import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { ReadAnswer, ReadRequest } from './vin-reader.ts'

// Load our own copy of the WebAssembly file. By default, the library downloads it from a public server.
prepareZXingModule({ overrides: { locateFile: () => wasmUrl } })

const scope = globalThis as unknown as {
  postMessage: (answer: ReadAnswer) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<ReadRequest>) => void) => void
}

async function read({ id, picture }: ReadRequest): Promise<ReadAnswer> {
  try {
    const found = await readBarcodes(picture, {
      formats: ['Code39', 'Code128', 'QRCode', 'DataMatrix'],
      tryHarder: true,
      maxNumberOfSymbols: 4,
    })
    return { id, texts: found.map(({ text }) => text) }
  } catch (error) {
    return { id, failure: String(error) }
  }
}

scope.addEventListener('message', ({ data }) => void read(data).then((answer) => scope.postMessage(answer)))
