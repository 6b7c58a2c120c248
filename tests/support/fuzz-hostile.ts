import fc, { type Arbitrary } from 'fast-check'

export const anId = '01890a5d-ac96-774b-bcce-b302099a8057'
export const cursor = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

export const hostileTexts = [
  '', ' ', '\t\r\n', '\0', 'a\0b', '\uD800', 'a\uDFFFb', '\uDC00\uD800', '\uFEFF', '\uFFFF', '\u202Eabc', '\u0085',
  'İ', 'ß', 'ﬁ', 'e\u0301', '👩‍👩‍👧‍👦'.repeat(20), '😀'.repeat(200), 'x'.repeat(5_000), 'NaN', 'Infinity', '-0', '0x10', '1e999', '9'.repeat(400),
  '2147483648', '9223372036854775808', '1.5', '-1', 'null', 'undefined', 'true', '[]', '{}', '"', "'", '\\', '%', '_', '%%_\\',
  '%00', '%ff', '%ed%a0%80', '../../etc/passwd', '..%2f..', '/', '//', '?', '#', ';', '&', '=', 'a[b]=c', "'; drop table dealers; --", '$1', '${x}', '{{x}}', '<script>',
  'X5', '-', '!', 'a:*', '& | !', '<->', '(((', ')', '[', '*', '+?', '\\y', 'a b', 'F-150', '3 series', 'constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty',
  `urn:uuid:${anId}`, `{${anId}}`, anId.toUpperCase(), anId.replaceAll('-', ''), '-'.repeat(36), `${anId} `, 'f'.repeat(64),
  '0000-01-01', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31', '9999-12-31T23:59:60Z', '2024-02-30', '2024-06-01T24:00:00Z', '+275760-09-13T00:00:00Z',
  '2024-06-01t00:00:00.123456789+14:00', '1990-12-31T23:59:60Z', 'a@b', 'a@b.c\0', 'x@'.padEnd(300, 'y'), 'http://[', 'http://127.0.0.1:1/', 'ftp://a', 'javascript:1', '/api/objects/', `/api/objects/${anId}`,
  cursor(null), cursor('x'), cursor(anId), cursor('-'.repeat(36)), cursor('\0'), cursor({}), cursor([]), cursor({ at: 'x', id: anId }), cursor({ at: '-'.repeat(40), id: '-'.repeat(36) }),
  cursor({ at: '2024-02-30 99:99', id: anId }), cursor({ at: '0000-01-01T00:00:00Z', id: anId }), cursor({ heat: 1e308, id: anId }), cursor({ heat: 1, id: 'f'.repeat(36) }), cursor({ name: '\0', id: anId }),
  cursor({ name: '\uD800', id: anId }), cursor({ name: 'a', id: '-'.repeat(36) }), '=', '!!!!',
] // oxfmt-ignore

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)

/** Key-value pairs for an object with arbitrary own keys, including `__proto__`. */
const withKeys = fc.array(fc.tuple(hostileText, fc.constantFrom<unknown>(1, 'x', null, [])), { maxLength: 4 })

export const hostileValue: Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1.5, 0.1 + 0.2, 1e308, -1e308, 5e-324, 1e21),
  fc.constantFrom<unknown>(2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 99_999_999, 1e12),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    [null],
    [{}],
    { length: -1 },
    Array.from({ length: 300 }, () => anId),
  ),
  withKeys.map((entries) => Object.fromEntries(entries) as unknown),
  fc.array(hostileText, { maxLength: 3 }),
)

/** Path segments that are badly encoded or not encoded. */
export const rawParts = [
  '%',
  '%zz',
  '%ff',
  '%00',
  '%c0%80',
  '%ed%a0%80',
  '%2e%2e%2f',
  '%252e',
  '..',
  '.',
  '~',
  '*',
  '%E0%A4%A',
]
export const rawQueries = [
  '%',
  '&&&',
  '=',
  '%ff=%ff',
  '%00=%00',
  'a[b]=c',
  'limit=1&limit=2',
  '__proto__=x',
  'constructor=1',
  'limit[]=1',
  'cursor=%ED%A0%80',
  `q=${'a'.repeat(4_000)}`,
  '?'.repeat(50),
]

export const strangeHeaders: Record<string, string>[] = [
  { 'if-none-match': '*' }, { 'if-none-match': 'W/"x", "y", ""' }, { 'if-none-match': '"'.repeat(500) }, { 'if-modified-since': 'never' },
  { range: 'bytes=9999999999-1' }, { range: 'bytes=-' }, { range: 'x'.repeat(500) }, { 'accept-encoding': 'br;q=NaN, *;q=0' }, { accept: '\xff/\xff' },
  { origin: 'https://elsewhere.example' }, { origin: 'null' }, { 'x-forwarded-for': 'not-an-address, ::1' }, { 'x-forwarded-host': '[' }, { host: 'elsewhere.example' }, { host: '[' },
  { authorization: 'Bearer x' }, { authorization: `Bearer ${'x'.repeat(500)}` }, { authorization: 'Basic Og==' }, { 'content-encoding': 'gzip' },
  { cookie: 'lanewire=%00; lanewire=%ff; ;=;' }, { cookie: 'lanewire_google_link=x.y.z' }, { 'user-agent': '\xe9'.repeat(400) }, { 'stripe-signature': 't=1,v1=x' }, { 'stripe-signature': 't=NaN' },
  { 'content-length': '0' }, { expect: 'x' }, { 'x-http-method-override': 'DELETE' }, { 'accept-language': '*;q=2' }, { referer: '\xff' }, { upgrade: 'websocket' },
] // oxfmt-ignore

export interface Body {
  headers: Record<string, string>
  body?: string | Buffer
}

export const json = 'application/json'
const form = 'multipart/form-data; boundary=B'
const filePart =
  '--B\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
export const asIs = (type: string, body: string | Buffer): Body => ({ headers: { 'content-type': type }, body })

export const brokenBodies: Body[] = [
  asIs(json, ''), asIs(json, '{'), asIs(json, '{"a":1'), asIs(json, '\uFEFF{}'), asIs(json, 'NaN'), asIs(json, '{"a":1e999}'), asIs(json, '{"a":1,"a":"\\u0000"}'),
  asIs(json, '{"__proto__":{"a":1}}'), asIs(json, '{"constructor":{"prototype":{}}}'), asIs(json, nested(20_000)), asIs(json, `{"a":${nested(20_000)}}`), asIs(json, 'null'), asIs(json, '"\\ud800"'),
  asIs(json, Buffer.from([0x22, 0xff, 0xfe, 0x22])), asIs(json, 'x'.repeat(1_100_000)), asIs('application/json; charset=utf-7', '{}'), asIs('application/JSON;', '{}'), asIs('text/plain', '{}'),
  asIs('application/x-www-form-urlencoded', 'a=1&a=2&%00=%ff'), asIs('application/xml', '<a/>'), asIs('nonsense', 'x'), asIs('', 'x'), asIs('application/octet-stream', Buffer.alloc(64, 0)),
  asIs('multipart/form-data', 'x'), asIs(form, ''), asIs(form, 'x'), asIs(form, '--B'), asIs(form, `${filePart}x`), asIs(form, `${filePart}x\r\n--B--`), asIs(form, '--B--\r\n'), asIs(form, '--B\r\n\r\n\r\n--B--'),
  asIs(form, '--B\r\ncontent-disposition: form-data\r\n\r\nx\r\n--B--'), asIs(form, '--B\r\nbad header\r\n\r\nx\r\n--B--'), asIs(form, `${filePart}x\r\n${filePart}y\r\n--B--`), asIs(form, filePart.replace('a.png', '\0')),
  asIs(form, '--B\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--B--'), asIs('multipart/form-data; boundary=', filePart), asIs('multipart/form-data; boundary="', filePart), asIs('multipart/mixed; boundary=B', filePart),
  { headers: { 'content-type': json, 'content-encoding': 'gzip' }, body: '{}' }, { headers: {} }, { headers: { 'content-type': json } },
] // oxfmt-ignore
