import t from 'tap'
import {
  autoFilledMessage,
  checkDigitHolds,
  checkDigitOf,
  cleanVin,
  composerVinMessage,
  decodeComposerVin,
  decodeDialogVin,
  dialogVinMessage,
  hasForbiddenLetters,
  scannedVin,
} from '#shared/vin.ts'
import { vinYears } from '#shared/vin-years.ts'

/** Vehicles that were built and sold: each VIN with the make and model year on its title. */
const realVehicles: readonly (readonly [vin: string, year: number, make: string])[] = [
  ['1FTFW1E59NKD69096', 2022, 'Ford'],
  ['JF2GTABC3L8272553', 2020, 'Subaru'],
  ['5UXWX9C58F0D45921', 2015, 'BMW'],
  ['3GNKBHR47NS184058', 2022, 'Chevrolet'],
  ['2GKFLTEK4H6343592', 2017, 'GMC'],
  ['2HKRW2H20NH207506', 2022, 'Honda'],
  ['5NMS3CAA0LH217545', 2020, 'Hyundai'],
  ['1C4PJMCBXKD279503', 2019, 'Jeep'],
  ['3KPF54AD7ME321714', 2021, 'Kia'],
  ['JM3KFBCM8P0225916', 2023, 'Mazda'],
  ['WDC0G8EB1LV225517', 2020, 'Mercedes-Benz'],
  ['5N1AT2MVXLC807279', 2020, 'Nissan'],
  ['1C6SRFETXKN545625', 2019, 'Ram'],
  ['4T1BE46K19U856421', 2009, 'Toyota'],
  ['3VV4B7AX5MM144910', 2021, 'Volkswagen'],
  ['WA1EAAFYXN2065837', 2022, 'Audi'],
  ['5J8TC2H69PL800623', 2023, 'Acura'],
  ['2T2KGCEZ8RC048602', 2024, 'Lexus'],
  ['2C4RC1L70PR614477', 2023, 'Chrysler'],
  ['1GYKPGRS2RZ729668', 2024, 'Cadillac'],
  ['5LM5J7XCXSGL00787', 2025, 'Lincoln'],
  ['5YJ3E1EA7HF000337', 2017, 'Tesla'],
  ['2B3CJ7DW4AH121212', 2010, 'Dodge'],
]

t.test('decodes year and make of real VINs with valid check digits', (t) => {
  for (const [vin, year, make] of realVehicles) {
    t.ok(checkDigitHolds(vin), `${vin}: the check digit holds`)
    t.match(decodeDialogVin(vin), { year, make }, `${vin}: the dialog reads it`)
    t.match(decodeComposerVin(vin), { year, make }, `${vin}: the composer reads it`)
  }
  t.end()
})

t.test("computes check digit X for the regulation's example", (t) => {
  t.equal(checkDigitOf('1M8GDM9AXKP042788'), 'X')
  t.end()
})

t.test('detects one changed character and two swapped neighbors', (t) => {
  t.notOk(checkDigitHolds('1FTFW1E59NKD69097'))
  t.notOk(checkDigitHolds('1FTFW1E59NKD60996'))
  t.notOk(checkDigitHolds('1FTFW1E5INKD69096'), 'a forbidden letter never holds')
  t.notOk(checkDigitHolds('1FTFW1E59NKD6909'), 'nor does a short one')
  t.end()
})

t.test('maps years 2001 to 2030 without I, O, Q, U, Z and 0', (t) => {
  t.same(
    [...vinYears.values()].toSorted((a, b) => a - b),
    Array.from({ length: 30 }, (_, index) => 2001 + index),
  )
  for (const code of 'IOQUZ0') t.notOk(vinYears.has(code), `${code} stands for no year`)
  t.end()
})

t.test('keeps at most 17 upper-case letters and digits in a VIN field', (t) => {
  t.equal(cleanVin(' 1ftfw1e5-9nkd69096 extra'), '1FTFW1E59NKD69096')
  t.end()
})

t.test('answers a short VIN with the documented message', (t) => {
  t.equal(dialogVinMessage('1FTFW1E59NKD69'), 'VIN must be exactly 17 characters (3 more needed)')
  t.equal(dialogVinMessage('1FTFW1E59NKD69096'), undefined)
  t.equal(dialogVinMessage(''), undefined, 'an untouched field is not scolded')
  t.equal(composerVinMessage, 'VIN must be exactly 17 characters')
  t.end()
})

t.test('rejects I, O and Q in the composer but not in the dialog', (t) => {
  const withO = '1FTFW1E59NKD6909O'
  t.ok(hasForbiddenLetters(withO))
  t.equal(decodeComposerVin(withO), undefined)
  t.match(decodeDialogVin(withO), { year: 2022, make: 'Ford' })
  t.end()
})

t.test('knows more makes and models in the composer', (t) => {
  const velar = 'SALYB2RV4JA756586'
  t.same(decodeDialogVin(velar), { year: 2018 }, 'the year stands in the VIN whoever made it')
  t.match(decodeComposerVin(velar), { year: 2018, make: 'Land Rover' })
  t.equal(decodeDialogVin('1C4PJMCBXKD279503')?.model, undefined)
  t.equal(decodeComposerVin('1C4PJMCBXKD279503')?.model, 'Cherokee')
  t.equal(decodeDialogVin('1FTFW1E59NKD69096')?.model, 'F-150')
  t.end()
})

t.test('does not recognize an unknown manufacturer, and lists filled fields in the toast', (t) => {
  t.equal(decodeDialogVin('00000000000000000'), undefined)
  t.equal(autoFilledMessage({ year: 2021, make: 'Ford', model: 'F-150' }), 'Auto-filled: 2021, Ford, F-150')
  t.equal(autoFilledMessage({ make: 'Ford' }), 'Auto-filled: Ford')
  t.end()
})

t.test('reads a VIN from a barcode alone, after an import mark, or among other words', (t) => {
  const vin = '1FTFW1E59NKD69096'
  const found = { vin, holds: true }
  for (const text of [
    vin,
    ` ${vin.toLowerCase()} `,
    `I${vin}`,
    `VIN: ${vin}, Oxford White`,
    `https://dealer.example/?v=${vin}`,
  ])
    t.same(scannedVin(text), found, text)
  t.same(scannedVin(`1FTFW1E59NKD69097 ${vin}`), found, 'of two the one that holds')
  t.same(scannedVin('1FTFW1E59NKD69097'), { vin: '1FTFW1E59NKD69097', holds: false })
  for (const text of ['', 'https://dealer.example', vin.slice(1), `${vin}1`, 'IOQFW1E59NKD69096'])
    t.equal(scannedVin(text), undefined, text)
  t.end()
})
