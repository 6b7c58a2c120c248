import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Answer, startApp } from '#tests/support/app.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { aPost, aVehicle, publish } from '#tests/support/factories.ts'
import { aPhoto, upload } from '#tests/support/uploads.ts'

const app = await startApp(t)
const [seller, reader] = [await app.signIn('Shown Motors'), await app.signIn('Reader')]

/** These texts look empty: spaces, zero-width characters, a soft hyphen, Hangul fillers, blank Braille, a variation selector, and a tag. */
const nothings = [
  '   ',
  '\u200B\u200D',
  '\u00AD',
  '\u3164\u115F\uFFA0',
  '\u2800',
  '\uFE0F',
  '\u{E0041}',
  '\u202E\u2066',
]

const wordsOf = ({ status, body }: Answer): [number, string] => [status, (body as ErrorBody).error.message]

t.test('refuses invisible titles, comments and messages like empty ones', async (t) => {
  const postId = await publish(seller)
  const chatId = await openChat(reader, seller)
  const content = 'Is it still there?'
  const comment = (await reader.post<Comment>(`/api/inventory/${postId}/comments`, { content })).body
  for (const text of nothings) {
    const sent = JSON.stringify(text)
    t.same(
      wordsOf(await seller.post('/api/inventory', aPost({ title: text }))),
      [400, 'Please enter a title for your post'],
      sent,
    )
    t.same(
      wordsOf(await seller.patch(`/api/inventory/${postId}`, { title: text })),
      [400, 'Please enter a title for your post'],
      sent,
    )
    t.same(
      wordsOf(await reader.post(`/api/inventory/${postId}/comments`, { content: text })),
      [400, 'Enter a comment first'],
      sent,
    )
    t.same(
      wordsOf(await reader.patch(`/api/inventory/${postId}/comments/${comment.id}`, { content: text })),
      [400, 'Enter some text or delete the comment'],
      sent,
    )
    t.same(wordsOf(await say(reader, chatId, text)), [400, 'Enter a message first'], sent)
    t.equal(
      (await app.visitor.post('/api/contact', { name: text, email: 'a@dealer.example', message: text })).status,
      400,
    )
  }
  const joined = '👩\u200D🔧 fixed it'
  t.equal((await say(reader, chatId, joined)).body.content, joined, 'a joiner between visible characters remains')
})

t.test('removes characters that turn the writing direction from titles and file names', async (t) => {
  const postId = await publish(seller, { title: '\u202E2021 Ford\u202C F-150\u200F' })
  const titleOf = async () => (await reader.get<PostDetail>(`/api/inventory/${postId}`)).body.title
  t.equal(await titleOf(), '2021 Ford F-150')
  await seller.patch(`/api/inventory/${postId}`, { title: '2021 \u2067Ford' })
  t.equal(await titleOf(), '2021 Ford')
  const words = { make: '\u202EFord\u202C', model: 'F-150\u200F', trim: '\u2067XLT', color: 'Red\u200E' }
  const listed = await publish(seller, { vehicles: [{ ...aVehicle, ...words }] })
  const [shown] = (await reader.get<PostDetail>(`/api/inventory/${listed}`)).body.vehicles
  t.same([shown?.make, shown?.model, shown?.trim, shown?.color], ['Ford', 'F-150', 'XLT', 'Red'])
  const attachmentName = 'photo_\u202Egpj.exe'
  const attach = async () => ({
    attachmentUrl: await upload(reader, await aPhoto(40, 20)),
    attachmentName,
  })
  const comment = { content: 'The dent', ...(await attach()) }
  t.match((await reader.post<Comment>(`/api/inventory/${postId}/comments`, comment)).body, {
    attachment: { name: 'photo_gpj.exe' },
  })
  const chatId = await openChat(reader, seller)
  const message = { chatId, content: '', ...(await attach()) }
  const sent = await reader.post<Message>('/api/messages', message)
  t.equal(sent.body.attachmentName, 'photo_gpj.exe')
})

t.test('accepts only web links to a spreadsheet, whatever the type of its post', async (t) => {
  for (const type of ['single', 'multiple', 'spreadsheet'] as const)
    for (const spreadsheetUrl of ['javascript:alert(1)', 'data:text/html,x', 'ftp://sheets.example/a', 'https://'])
      t.same(
        wordsOf(await seller.post('/api/inventory', aPost({ type, spreadsheetUrl }))),
        [400, 'Please enter a spreadsheet URL that starts with https://'],
        `${type} ${spreadsheetUrl}`,
      )
  const spreadsheetUrl = 'https://sheets.example/list.csv'
  const postId = await publish(seller, { spreadsheetUrl: ` ${spreadsheetUrl} ` })
  t.match((await reader.get(`/api/inventory/${postId}`)).body, { spreadsheetUrl })
  const without = await publish(seller, { spreadsheetUrl: '' })
  t.match((await reader.get(`/api/inventory/${without}`)).body, { spreadsheetUrl: null })
})

t.test('accepts only web links as the website of a profile', async (t) => {
  for (const website of ['javascript:alert(1)', 'https:', 'mailto:a@dealer.example'])
    t.equal((await seller.patch('/api/profile', { website })).status, 400, website)
  t.equal((await seller.patch('/api/profile', { website: 'https://dealer.example' })).status, 200)
})
