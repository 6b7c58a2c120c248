import t from 'tap'
import { cutText } from '#shared/cut-text.ts'
import { findUnstorable } from '#server/platform/storable-text.ts'
import { oneVehicle, readFile, readLines } from '#tests/support/read-sheet.ts'
import { aWorkbook } from '#tests/support/sheets.ts'

// PostgreSQL rejects JSON that contains half of an emoji or a NUL character, which would make the whole import fail.

const vin = '1HGCM82633A004352'
/** Two strings of emoji, one shifted by a letter. Any cut splits an emoji in one of them. */
const long = ['😀'.repeat(1_500), `x${'😀'.repeat(1_500)}`]

t.test('stores every text of a sheet, wherever it is cut', async (t) => {
  for (const text of long) {
    const short = text.slice(0, 61)
    const sheets = {
      'long cells': oneVehicle({ Trim: text, City: text, Model: text, Price: text, Year: text, State: text }),
      'long headings': oneVehicle({}, { Color: text, City: text, Price: `Price (${text.slice(0, 61)})` }),
      'long headings twice': readLines(`VIN,Make,Model,${text},${text},${text}`, `${vin},Honda,Accord,a,b,c`),
      'a long notes cell': readLines('VIN,Make,Model,Notes', `${vin},Honda,Accord,${text}`),
      'a row that is too wide': readLines('VIN,Make,Model,Trim', `${vin},Honda,Accord,EX,${text}`, `${vin},a,b,c`),
      'a split number': readLines('VIN,Make,Model,Price,Trim', `${vin},Honda,Accord,12,995,${text}`),
      'a misplaced quotation mark': readLines('VIN,Make,Model,Trim', `${vin},Honda,Accord,"E"X${text}`),
      'a quotation mark that is not closed': readLines('VIN,Make,Model,Trim', `${vin},Honda,"Accord,EX ${text}`, vin),
      'halves of an emoji as entities': oneVehicle({
        Trim: 'EX &#55357;',
        City: '&#xD83D;&#xDE00;',
        Color: '&#56832;',
      }),
      'entities in headings': oneVehicle({}, { Color: 'Color &#55357;', City: '&#56832;' }),
      'names of sheets': readFile(
        aWorkbook({
          sheets: [
            '<row><c t="inlineStr"><is><t>VIN</t></is></c></row>',
            '<row><c t="inlineStr"><is><t>x</t></is></c></row>',
          ],
          parts: {
            'xl/workbook.xml': `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" r:id="rId1"/><sheet name="${text}" r:id="rId2"/></sheets></workbook>`,
          },
        }),
      ),
      'UTF-16 with a NUL': readFile(Buffer.from(`\ufeffVIN,Make,Model\n"${vin},Ho\0nda,Accord\n`, 'utf16le')),
    }
    for (const [what, reading] of Object.entries(sheets)) {
      const content = await reading
      t.equal(findUnstorable(content), undefined, `${what}, ${short.length} characters`)
    }
  }
})

t.test('joins an emoji that an export wrote as two entities', async (t) => {
  const { vehicles } = await oneVehicle({ Trim: 'EX &#55357;&#56832; &#xD83D;&#xDE97;' })
  t.equal(vehicles[0]?.trim, 'EX 😀 🚗')
})

t.test('cuts a text between characters', (t) => {
  const family = '👨‍👩‍👧'
  for (const [text, max, right] of [
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀', 3, 'ab'],
    ['ab😀', 4, 'ab😀'],
    [`ab${family}c`, 6, 'ab'],
    [`ab${family}c`, 10, `ab${family}`],
    ['re\u0301sume\u0301', 2, 'r'],
    ['👍🏽 ok', 2, ''],
    [`a${'\u0301'.repeat(100)}`, 50, `a${'\u0301'.repeat(49)}`],
  ] as const)
    t.equal(cutText(text, max), right, `${text} to ${max}`)
  t.end()
})
