import { becomes, show } from '#tests/support/screen.tsx'
import t from 'tap'
import { Composer } from '#client/features/posting/composer.tsx'
import { VinScanner } from '#client/features/posting/vin/vin-scanner.tsx'
import { fill, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { addFiles, aPicture, fakePhotoReader, me, postingNetwork, vin } from '#tests/support/posting.ts'

const otherVin = '2HKRW2H20NH207506'

t.test('strips the label from a pasted VIN, and never cuts a text that is too long', async (t) => {
  postingNetwork(t)
  show(t, <Composer renderTitle={() => null} onPosted={() => undefined} />, me)
  await press('Add Vehicle')
  fill('VIN', `${vin}1`)
  await becomes(t, () => refusalOf('VIN'), 'VIN must be exactly 17 characters (1 too many)')
  t.equal(textIn('VIN'), '')
  fill('VIN', `${vin} ${otherVin}`)
  await becomes(t, () => refusalOf('VIN'), 'There is more than one VIN here. Enter one at a time')
  t.equal(textIn('VIN'), '')
  fill('VIN', `VIN: I${vin.toLowerCase()}`)
  await becomes(t, () => textIn('VIN'), vin)
  t.equal(refusalOf('VIN'), undefined)
  fill('VIN', `${vin}1`)
  await becomes(t, () => refusalOf('VIN'), 'VIN must be exactly 17 characters (1 too many)')
  t.equal(textIn('VIN'), vin, 'the field keeps its VIN')
})

t.test('chooses no VIN from a photo that shows two', async (t) => {
  let codes = [vin, otherVin]
  class Detector {
    static readonly getSupportedFormats = async () => ['code_39']
    readonly detect = async () => codes.map((rawValue) => ({ rawValue }))
  }
  fakePhotoReader(t, Detector)
  const read: string[] = []
  show(t, <VinScanner onVin={(found) => void read.push(found)} onClose={() => undefined} />, me)
  addFiles('Take or choose a photo', aPicture('two.jpg'))
  await says(/^This photo shows more than one VIN/)
  t.same(read, [])
  codes = [`I${vin}`, vin]
  addFiles('Take or choose a photo', aPicture('one.jpg'))
  await becomes(t, () => read, [vin])
})
