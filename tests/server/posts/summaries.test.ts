import { EventEmitter, once } from 'node:events'
import t from 'tap'
import type { NewPost, PostDetail } from '#shared/schemas/posts.ts'
import { startApp, type Caller } from '#tests/support/app.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { until } from '#tests/support/wait.ts'

interface Asked {
  model: string
  messages: { role: string; content: string }[]
}

/** Starts an OpenAI-compatible endpoint. If `says` is undefined, the endpoint never responds. */
async function startModel(t: Parameters<typeof startWebsite>[0]) {
  const model = { says: '' as string | undefined, status: 200, asked: [] as { key: string; body: Asked }[], host: '' }
  model.host = await startWebsite(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked
    model.asked.push({ key: `${request.url} ${request.headers.authorization}`, body })
    if (model.says === undefined) return
    response.writeHead(model.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: model.says } }] }))
  })
  return model
}

async function summaryOf(seller: Caller, about: Partial<NewPost> = {}): Promise<string> {
  const id = await publish(seller, about)
  return until('the summary', async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.aiSummary)
}

const texts = (summary: string) => (JSON.parse(summary) as { text: string }[]).map(({ text }) => text)

t.test('takes the summary from a configured model, or from the rules if it fails', async (t) => {
  const model = await startModel(t)
  const ai = {
    AI_BASE_URL: `http://${model.host}/v1/`,
    AI_API_KEY: 'sk-test',
    AI_MODEL: 'small',
    AI_TIMEOUT_MS: '120000',
  }
  const app = await startApp(t, ai)
  const seller = await app.signIn('Webb Bros')
  model.says = '```json\n[{"text":" Low miles for a 2021 "},{"text":"Located in Tulsa"}]\n```'
  t.same(texts(await summaryOf(seller)), ['Low miles for a 2021', 'Located in Tulsa'])
  const [asked] = model.asked
  t.equal(asked?.key, '/v1/chat/completions Bearer sk-test')
  t.match(asked?.body, { model: 'small', messages: [{ role: 'system' }, { role: 'user', content: /48210/ }] })
  model.says = 'Clean truck, priced to move.'
  t.equal(await summaryOf(seller), model.says, 'plain text is kept and shown as it is')
  model.says = '[]'
  t.equal(await summaryOf(seller), '[]', 'an empty list shows as no data')
  const byRules = /^About [\d,]+ mi\/year /
  for (const [says, status] of [
    ['{"summary":"none"}', 200],
    ['', 200],
    ['[{"text":"late"}]', 503],
  ] as const) {
    Object.assign(model, { says, status })
    t.match(texts(await summaryOf(seller))[0], byRules, `${says} ${status}`)
  }
  await app.server.stop('another one does its work')
  const hurried = await startApp(t, { ...ai, AI_TIMEOUT_MS: '100' }, app.services)
  Object.assign(model, { says: undefined })
  t.match(texts(await summaryOf(hurried.on(hurried, seller)))[0], byRules, 'a model that never answers')
})

t.test('summarizes a post again that was edited while its summary was written', async (t) => {
  let asked = 0
  const answer = new EventEmitter()
  const host = await startWebsite(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    asked += 1
    if (asked === 1) await once(answer, 'now')
    const content = /\bpriceCents\W+3190000/.test(Buffer.concat(chunks).toString()) ? 'For 31,900' : 'For less'
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
  })
  const app = await startApp(t, {
    AI_BASE_URL: `http://${host}/v1/`,
    AI_API_KEY: 'sk-test',
    AI_MODEL: 'small',
    AI_TIMEOUT_MS: '120000',
  })
  const seller = await app.signIn('Webb Bros')
  const id = await publish(seller)
  await until('the request to the model', () => asked === 1)
  const { body } = await seller.get<PostDetail>(`/api/inventory/${id}`)
  const vehicle = { ...aVehicle, price: 30_500 }
  const edited = await seller.patch(`/api/inventory/${id}`, { vehicles: [{ ...vehicle, id: body.vehicles[0]?.id }] })
  t.equal(edited.status, 200)
  answer.emit('now')
  await until('the summary of the edited post', async () => {
    const { aiSummary } = (await seller.get<PostDetail>(`/api/inventory/${id}`)).body
    return aiSummary === 'For less'
  })
})

t.test('writes a summary that an older version queued under the former name of the job', async (t) => {
  const web = await startApp(t, { ROLES: 'api,rt' })
  const seller = await web.signIn('Webb Bros')
  const id = await publish(seller)
  const queued = await web.server.ctx.db
    .updateTable('outbox')
    .set({ name: 'post.summarise' })
    .where('name', '=', 'post.summarize')
    .executeTakeFirst()
  t.equal(queued.numUpdatedRows, 1n)
  await startApp(t, { ROLES: 'worker' }, web.services)
  await until('the summary', async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.aiSummary)
})
