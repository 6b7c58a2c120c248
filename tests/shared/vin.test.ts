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
  hasSeveralVins,
  scannedVin,
} from '#shared/vin/vin.ts'
import { readTypedVin, severalVinsMessage } from '#shared/vin/vin-text.ts'
import { modelYearOf, vinYears } from '#shared/vin/vin-years.ts'
import vinCases from './vins.json' with { type: 'json' }

/** Vehicles that were really built and sold: each VIN with the model year and make on its title. */
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
  t.notOk(checkDigitHolds('1FTFW1E5INKD69096'), 'a forbidden letter is never valid')
  t.notOk(checkDigitHolds('1FTFW1E59NKD6909'), 'a short one does not either')
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
  t.equal(dialogVinMessage(''), undefined, 'an untouched field shows no error')
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
  t.same(decodeDialogVin(velar), { year: 2018 }, 'the year is read even if the make is unknown')
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
  t.same(scannedVin(`1FTFW1E59NKD69097 ${vin}`), found, 'the one of two with a valid check digit')
  t.same(scannedVin('1FTFW1E59NKD69097'), { vin: '1FTFW1E59NKD69097', holds: false })
  for (const text of ['', 'https://dealer.example', vin.slice(1), `${vin}1`, 'IOQFW1E59NKD69096'])
    t.equal(scannedVin(text), undefined, text)
  t.end()
})

const thisYear = 2026

t.test('decodes the VINs that dealers reported', (t) => {
  for (const { vin, what, right } of vinCases) {
    const { checkDigitHolds: holds, ...decoded } = { checkDigitHolds: undefined, ...right }
    t.match(decodeComposerVin(vin, thisYear), decoded, `${vin}: ${what}`)
    if (holds) t.ok(checkDigitHolds(vin), `${vin}: the check digit holds`)
  }
  t.end()
})

/** VINs whose make does not follow from the first three characters, or that the documented tables omit. */
const siblings: readonly (readonly [vin: string, make: string | undefined, what: string])[] = [
  ['1C4SDJCT0MC123456', 'Dodge', 'Durango of 2021'],
  ['3C4PDCAB0GT123456', 'Dodge', 'Journey'],
  ['ZACPDFDW0R3A12345', 'Dodge', 'Hornet R/T'],
  ['2C3CDXBG0JH123456', 'Dodge', 'Charger'],
  ['2C3CCAAG0FH123456', 'Chrysler', '300'],
  ['2C3KA53G06H123456', 'Chrysler', '300 of 2006'],
  ['1C4GJ45B02B123456', 'Chrysler', 'Voyager of 2002'],
  ['3C4FY48B05T123456', 'Chrysler', 'PT Cruiser of 2005'],
  ['1C4GJWAG0CL123456', 'Jeep', 'Wrangler of 2012'],
  ['1C6HJTAG0LL123456', 'Jeep', 'Gladiator'],
  ['1C6RR7LT0HS123456', 'Ram', '1500'],
  ['2C4JRGAG0DR123456', 'Ram', 'Cargo Van'],
  ['2C4RVABG0CR123456', 'Volkswagen', 'Routan'],
  ['3C3CFFAR0DT123456', 'Fiat', '500'],
  ['ZFBCFXBT0GP123456', 'Fiat', '500X'],
  ['ZFBERFAB0J6123456', 'Ram', 'ProMaster City'],
  ['JN1BY1AR0FM123456', 'Infiniti', 'Q70'],
  ['JN1CV6AP0CM123456', 'Infiniti', 'G37'],
  ['JN8AZ2NE0F9123456', 'Infiniti', 'QX80'],
  ['SJKCH5CP0HA123456', 'Infiniti', 'QX30'],
  ['JN1AZ4EH0FM123456', 'Nissan', '370Z'],
  ['JN1BJ1CP0HW123456', 'Nissan', 'Rogue Sport'],
  ['5N1AZ2MG0HN123456', 'Nissan', 'Murano'],
  ['3N63M0YN0FK123456', 'Chevrolet', 'City Express'],
  ['5XYZU3LB0EG123456', 'Hyundai', 'Santa Fe Sport'],
  ['3KPC24A30JE123456', 'Hyundai', 'Accent'],
  ['KNDMC233076123456', 'Hyundai', 'Entourage'],
  ['KNDMC5C10F6123456', 'Kia', 'Sedona'],
  ['KMHGN4JE0FU123456', 'Hyundai', 'Hyundai Genesis of 2015'],
  ['KMHGN4JE0HU123456', 'Genesis', 'G80 of 2017'],
  ['5NMMCET10PH123456', 'Genesis', 'Electrified GV70'],
  ['JF1ZNAA10G8123456', 'Scion', 'FR-S'],
  ['JF1ZNAA10H8123456', 'Toyota', '86'],
  ['JTMABABA0PA123456', 'Subaru', 'Solterra'],
  ['JTMABACA0PA123456', 'Toyota', 'bZ4X'],
  ['5TDAAAB60RS123456', 'Lexus', 'TX'],
  ['5TDAAAB50RS123456', 'Toyota', 'Grand Highlander'],
  ['4S6CK58W0Y4123456', 'Honda', 'Passport of 2000'],
  ['2D8HN44H08R123456', 'Dodge', 'Grand Caravan of 2008'],
  ['W1V3K5CB0RU123456', 'Mercedes-Benz', 'eSprinter'],
  ['WD8PD744055123456', 'Dodge', 'Sprinter of 2005'],
  ['VCF1EBU20PG123456', 'Fisker', 'Ocean'],
  ['1P3ES46C0YD123456', 'Plymouth', 'Neon'],
  ['2C7WDGBG0KR112345', 'Dodge', 'Grand Caravan for conversion'],
  ['5FRYD4H60EB012345', 'Acura', 'MDX of 2014'],
  ['W08AR671785012345', 'Saturn', 'Astra'],
  ['137ZA8430YE186543', 'Hummer', 'H1'],
  ['JC1NFAEK0H0123456', 'Fiat', '124 Spider'],
  ['JB7FL24W0RP012345', 'Dodge', 'Ram 50'],
  ['1C4RXXXX0KC123456', undefined, 'a brand letter that no make has'],
  ['SJKXXXXX0KC123456', undefined, 'Nissan or Infiniti, and nothing decides'],
]

t.test('distinguishes makes that share the first three characters', (t) => {
  for (const [vin, make, what] of siblings) t.equal(decodeComposerVin(vin, thisYear)?.make, make, `${vin}: ${what}`)
  t.end()
})

t.test("distinguishes the makes of the dialog's table, too", (t) => {
  t.match(decodeDialogVin('1C4RDJDG6KC123456', thisYear), { make: 'Dodge', year: 2019 })
  t.match(decodeDialogVin('1HGEJ8144XL019972', thisYear), { make: 'Honda', year: 1999 })
  t.end()
})

t.test('assigns a year after next year to the earlier cycle if position 7 is a digit', (t) => {
  const withDigit = '1HGEJ8144VL019972'
  const withLetter = '1HGEJ8A44VL019972'
  t.equal(modelYearOf(withDigit, 2025), 1997, 'V in 2025')
  t.equal(modelYearOf(withDigit, 2026), 2027, 'V is next year in 2026')
  t.equal(modelYearOf(withLetter, 2025), 2027, 'V with a letter in position 7')
  t.equal(modelYearOf('1HGEJ8144YL019972', 2026), 2000, 'Y in 2026')
  t.equal(modelYearOf('1HGEJ8144YL019972', 2029), 2030, 'Y in 2029')
  t.equal(modelYearOf('1HGEJ81449L019972', 2026), 2009, '9 in 2026')
  t.equal(modelYearOf('1HGEJ81440L019972', 2026), undefined, '0 is not a year')
  t.end()
})

t.test("reads next year's letter of a car with a digit in position 7 as the earlier cycle", (t) => {
  const civic = '1HGEJ8144VL019972'
  for (const decode of [decodeDialogVin, decodeComposerVin]) {
    for (const year of [2024, 2025, 2026]) t.equal(decode(civic, year)?.year, 1997, `a 1997 Civic in ${year}`)
    t.equal(decode(civic, 2027)?.year, 2027, 'the documented table holds for years that have come')
    t.equal(decode('1HGEJ8A44VL019972', 2026)?.year, 2027, 'a letter in position 7')
  }
  for (const [vin, what] of [
    ['JALC4W164V7000001', 'an Isuzu truck'],
    ['1FUJGLDR6VLAC9984', 'a truck of an unknown make'],
    ['W2ZNDGDB7VV012345', 'a Freightliner van with a letter'],
  ] as const)
    t.equal(decodeComposerVin(vin, 2026)?.year, 2027, what)
  t.equal(decodeComposerVin('1C3AB1234WT012345', 2027)?.year, 1998, 'also if several makes share the identifier')
  t.end()
})

t.test('reads the year of heavy trucks, motorcycles and trailers, whose position 7 says nothing about it', (t) => {
  const vehicles: readonly (readonly [vin: string, inYear: number, year: number, what: string])[] = [
    ['54DC4W1B5VS800123', 2026, 2027, 'an Isuzu NPR of next year'],
    ['54DK6S1D2VS200123', 2026, 2027, 'a Chevrolet 6500XD of next year'],
    ['JALC4W164V7000001', 2026, 2027, 'an Isuzu truck of next year'],
    ['WB10J2305VZ123456', 2026, 2027, 'a BMW motorcycle of next year'],
    ['WB30H1208VR123456', 2026, 2027, 'a BMW motorcycle from another plant'],
    ['5NHUAS826VF123456', 2026, 2027, 'a trailer of next year'],
    ['1FUJGLDR6VLAC9984', 2026, 2027, 'a Freightliner of next year'],
    ['1XPBDP9X4VD123456', 2026, 2027, 'a Peterbilt of next year'],
    ['54DC4W1B5WS800123', 2026, 1998, 'an Isuzu of 1998'],
    ['WB10A0401WZA12345', 2026, 1998, 'a BMW motorcycle of 1998'],
    ['1FUYDXYB0WP123456', 2026, 1998, 'a Freightliner of 1998 with a letter in position 7'],
    ['1XP5DB9X4XN123456', 2026, 1999, 'a Peterbilt of 1999'],
    ['1XKDDBEX0YJ123456', 2026, 2000, 'a Kenworth of 2000 with a letter'],
    ['4V4ND1GH9XN123456', 2026, 1999, 'a Volvo truck of 1999 with a letter'],
    ['1HSDJSJR6XH123456', 2026, 1999, 'an International of 1999 with a letter'],
    ['1HD1BJY14XY012345', 2026, 1999, 'a Harley-Davidson of 1999 with a letter'],
    ['JH2PC3504YM123456', 2026, 2000, 'a Honda motorcycle of 2000'],
    ['1GRAA0625XB123456', 2026, 1999, 'a Great Dane trailer of 1999'],
    ['1FUJGLDR69LAC9984', 2026, 2009, 'a Freightliner of 2009'],
    ['1XPBDP9X4RD123456', 2026, 2024, 'a Peterbilt of 2024'],
    ['54DC4W1B5VS800123', 2025, 1997, 'an Isuzu of 1997, two years before 2027'],
  ]
  for (const [vin, inYear, year, what] of vehicles)
    for (const decode of [decodeDialogVin, decodeComposerVin]) t.equal(decode(vin, inYear)?.year, year, what)
  for (const [vin, year, what] of [
    ['1FDKF37G5VEA12345', 1997, 'a Ford F-350 of 1997'],
    ['1GBJK34R1VF012345', 1997, 'a Chevrolet 3500 of 1997'],
    ['1FDUF5HT0VDA12345', 2027, 'a Ford F-550 of next year'],
  ] as const)
    t.equal(decodeComposerVin(vin, 2026)?.year, year, `${what}: makers of light trucks use a letter since 2010`)
  t.end()
})

t.test('reads a VIN with its label, its import mark, blanks or dashes', (t) => {
  const vin = '1FTFW1E59NKD69096'
  for (const text of [
    vin,
    ` ${vin.toLowerCase()} `,
    `VIN: ${vin}`,
    `VIN ${vin}`,
    `VIN${vin}`,
    `V.I.N. # ${vin}`,
    `VIN number: ${vin}`,
    `I${vin}`,
    `VIN: I${vin}`,
    '1FTFW1E5 9NKD69096',
    '1FTFW1E5-9NKD69096',
    `${vin}, Oxford White`,
    `${vin} ${vin}`,
    `I${vin} ${vin}`,
    '１ＦＴＦＷ１Ｅ５９ＮＫＤ６９０９６',
  ])
    t.same(readTypedVin(text), { vin }, text)
  t.same(readTypedVin('1ftfw'), { vin: '1FTFW' }, 'an unfinished VIN')
  t.same(readTypedVin(''), { vin: '' })
  t.same(readTypedVin('1FTFW1E59NKD6909O'), { vin: '1FTFW1E59NKD6909O' }, 'a forbidden letter is not dropped')
  t.end()
})

t.test('never cuts a text to the length of a VIN', (t) => {
  const vin = '1FTFW1E59NKD69096'
  const other = '2HKRW2H20NH207506'
  const tooLong = { fault: 'VIN must be exactly 17 characters (1 too many)' }
  for (const text of [`${vin}1`, `VIN: ${vin}1`, '1FTFW1E59 NKD690961']) t.same(readTypedVin(text), tooLong, text)
  for (const text of [
    `${vin} ${other}`,
    `${vin}/${other}`,
    `${vin}${other}`,
    `I${vin}, I${other}`,
    `${vin} ${other.slice(1)}`,
  ])
    t.same(readTypedVin(text), { fault: severalVinsMessage }, text)
  t.ok(hasSeveralVins(`${vin} ${other}`))
  t.equal(scannedVin(`${vin} ${other}`), undefined, 'a scan of two VINs chooses neither')
  t.end()
})

t.test('fills in no model of another make that shares the identifier', (t) => {
  t.match(decodeComposerVin('JTMB1RFV3PD000001', 2026), { make: 'Toyota', model: 'RAV4' })
  const shared = decodeComposerVin('JTMB1A2C3PA000001', 2026)
  t.equal(shared?.make, 'Subaru')
  t.equal(shared?.model, undefined)
  t.end()
})
