import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import t from 'tap'
import { parse } from 'yaml'
import { requireVersion } from '#server/db/migrate.ts'
import { startApp } from '#tests/support/app.ts'
import { freePort } from '#tests/support/balancer.ts'
import { aBidder, bid, publishAuction } from '#tests/support/bidding.ts'
import { startNode } from '#tests/support/node-process.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const authorization = 'Bearer a-token-of-sixteen'
const monitoring = (file: string) => readFileSync(`docs/monitoring/${file}`, 'utf8')

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

function toSamples(scrape: string): Sample[] {
  const lines = scrape.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels, value: Number(value) }]
  })
  return lines.map(({ labels, ...rest }) => ({
    ...rest,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    ),
  }))
}

/** Labels that every series may have: Prometheus adds `job` and `instance`, and `le` is part of histograms. */
const ofPrometheus = new Set(['job', 'instance', 'le'])

interface Selector {
  /** A metric with its labels, as in `name{label="value"}`. */
  text: string
  /** Labels that the surrounding aggregations use. */
  labels: string[]
}

interface Query {
  selectors: Selector[]
  isValid: boolean
}

function read(expression: string): Query {
  const query: Query = { selectors: [], isValid: true }
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to)
  parser.parse(expression).iterate({
    enter({ name, type, node }) {
      if (type.isError) query.isValid = false
      if (name !== 'VectorSelector') return
      const labels: string[] = []
      for (let around = node.parent; around !== null; around = around.parent) {
        const grouping = around.getChild('AggregateModifier')?.getChild('GroupingLabels')
        labels.push(...(grouping?.getChildren('LabelName') ?? []).map(textOf))
      }
      query.selectors.push({ text: textOf(node), labels })
    },
  })
  return query
}

interface Panel {
  title: string
  targets: { expr: string }[]
}

interface Rule {
  alert?: string
  record?: string
  expr: string
}

interface Prometheus {
  scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[]
}

interface Compose {
  services: Record<string, { environment?: Record<string, string> }>
}

const { groups } = parse(monitoring('alerts.yaml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const recorded = new Set(rules.flatMap(({ record = [] }) => record))

const queries = [
  ...(JSON.parse(monitoring('dashboard.json')) as { panels: Panel[] }).panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr] as const),
  ),
  ...rules.flatMap(({ alert, expr }) => (alert === undefined ? [] : [[alert, expr] as const])),
]

t.test('requires the token for metrics on every address', async (t) => {
  const METRICS_PORT = String(await freePort())
  const { url } = await startApp(t, { METRICS_TOKEN: 'a-token-of-sixteen', METRICS_PORT })
  for (const origin of [url, `http://127.0.0.1:${METRICS_PORT}`]) {
    const statusWith = async (headers: Record<string, string>) => (await fetch(`${origin}/metrics`, { headers })).status
    t.equal(await statusWith({}), 404)
    t.equal(await statusWith({ authorization: 'Bearer a-token-of-eighteen' }), 404)
    t.equal(await statusWith({ authorization }), 200)
  }
})

t.test('serves metrics in every role, and has every service that runs one scraped', async (t) => {
  const services = await testServices(t)
  for (const ROLES of ['api', 'rt', 'worker']) {
    const METRICS_PORT = String(await freePort())
    await startApp(t, { METRICS_TOKEN: 'a-token-of-sixteen', METRICS_PORT, ROLES }, services)
    const scrape = await (
      await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`, { headers: { authorization } })
    ).text()
    const roles = toSamples(scrape).flatMap(({ name, labels }) => (name === 'lanewire_role' ? labels['role'] : []))
    t.same(roles, [ROLES])
  }
  const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as Compose
  const running = Object.entries(compose.services).filter(([, { environment }]) => environment?.['ROLES'] !== undefined)
  const { scrape_configs: scraped } = parse(monitoring('prometheus.yaml')) as Prometheus
  const targets = scraped.flatMap(({ dns_sd_configs: configs }) => configs)
  t.same(targets.flatMap(({ names }) => names).toSorted(), running.map(([name]) => name).toSorted())
  const [, port] = /\bMETRICS_PORT=(\d+)/.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  for (const target of targets) t.equal(target.port, Number(port))
})

t.test('answers a metrics request without the token once, without logging an error', async (t) => {
  const node = await startNode(t, await testServices(t), { METRICS_TOKEN: 'a-token-of-sixteen', LOG_LEVEL: 'info' })
  for (const path of ['/metrics', '/api/told-last']) t.equal((await fetch(node.url + path)).status, 404)
  await until('the call that is told last', () => node.readLog().includes('/api/told-last'))
  t.notMatch(node.readLog(), /ERROR|already sent|request failed/)
})

t.test("reports a worker's metrics, and finds a figure for every dashboard and alert query", async (t) => {
  const METRICS_PORT = String(await freePort())
  const BACKUP_HOUR_UTC = '3'
  const web = await startApp(t, { METRICS_TOKEN: 'a-token-of-sixteen', ROLES: 'api,rt', BACKUP_HOUR_UTC })
  await startApp(t, { METRICS_TOKEN: 'a-token-of-sixteen', METRICS_PORT, ROLES: 'worker' }, web.services)
  const ofWorker = (path: string) => fetch(`http://127.0.0.1:${METRICS_PORT}${path}`, { headers: { authorization } })
  t.match(await (await ofWorker('/health/ready')).json(), { status: 'ok', database: true, redis: true })
  t.equal((await ofWorker('/api/auth/status')).status, 404, 'and serves nothing else')
  const known = new Set(toSamples(await (await ofWorker('/metrics')).text()).map(({ name }) => name))
  t.ok(known.has('lanewire_find_ready'))
  t.notOk(known.has('lanewire_find_age_seconds'), 'a worker has no Find data that could be stale')

  const [seller, bidder] = [await web.signIn('Webb Bros'), await aBidder(web, 'Herrera & Sons')]
  const tab = await seller.live()
  const postId = await publishAuction(seller)
  await tab.view({ kind: 'post', id: postId, on: true })
  t.equal((await bid(bidder, postId, 10_000)).status, 201)
  await bid(bidder, postId, 1)
  await tab.nextEvent('auction.state')
  const admin = await web.signIn('Lanewire', { role: 'admin' })
  await admin.post('/api/admin/users', {
    name: 'New Dealer',
    email: 'new@dealer.example',
    dealershipName: '',
    dealershipType: 'franchise',
    role: 'dealer',
  })
  const scrape = async () => {
    const { body } = await web.visitor.get<string>('/metrics', undefined, { authorization })
    return [...toSamples(body), ...toSamples(await (await ofWorker('/metrics')).text())]
  }
  const isSent = ({ name, labels, value }: Sample) =>
    name === 'lanewire_mails_total' && labels['outcome'] === 'sent' && value > 0
  const samples = await until('the mail to be counted', async () => {
    const now = await scrape()
    return now.some(isSent) ? now : undefined
  })
  const valueOf = (name: string, labels: Record<string, string>) =>
    samples
      .filter((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
      .reduce((sum, { value }) => sum + value, 0)
  t.equal(valueOf('lanewire_bids_total', { outcome: 'accepted' }), 1)
  t.equal(valueOf('lanewire_bids_total', {}), 2)
  t.equal(valueOf('lanewire_mails_total', { outcome: 'sent' }), 1)
  const outcomes = samples.flatMap(({ name, labels }) => (name === 'lanewire_mails_total' ? labels['outcome'] : []))
  t.same([...new Set(outcomes)].toSorted(), ['away', 'refused', 'sent'], 'starts each outcome at zero')
  t.equal(valueOf('lanewire_sockets', {}), 1)
  t.ok(valueOf('lanewire_deliveries_total', { event: 'auction.state' }) >= 1)
  t.ok(valueOf('lanewire_job_seconds_count', { outcome: 'done' }) >= 1)
  t.ok(valueOf('lanewire_http_request_seconds_count', { route: '/api/inventory/:id/bids', status: '201' }) >= 1)

  t.ok(queries.length > 20)
  for (const [where, expression] of queries) {
    const { selectors, isValid } = read(expression)
    t.ok(isValid && selectors.length > 0, `${where} can be read`)
    for (const { text, labels } of selectors.filter((one) => !one.text.startsWith('up{'))) {
      const [name = '', wanted = ''] = text.split(/[{}[]/)
      if (recorded.has(name)) continue
      const found = samples.filter((sample) => sample.name === name)
      t.ok(found.length > 0, `${where}: ${name}`)
      const known = new Set([...ofPrometheus, ...found.flatMap((sample) => Object.keys(sample.labels))])
      const named = [...wanted.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label)
      for (const label of [...named, ...labels]) t.ok(known.has(label), `${where}: ${name} has ${label}`)
    }
  }
})

t.test('leaves out figures it cannot know without PostgreSQL or Redis', async (t) => {
  const services = await testServices(t)
  const [postgres, redis] = [await proxyTo(t, services.DATABASE_URL), await proxyTo(t, services.REDIS_URL)]
  const cut = { ...services, DATABASE_URL: postgres.url, REDIS_URL: redis.url }
  const app = await startApp(t, { METRICS_TOKEN: 'a-token-of-sixteen' }, cut)
  const namesOf = async () => {
    const { body } = await app.visitor.get<string>('/metrics', undefined, { authorization })
    return new Map(toSamples(body).map(({ name, value }) => [name, value]))
  }
  const known = ['lanewire_outbox_due', 'lanewire_outbox_oldest_seconds', 'lanewire_queue_jobs']
  const isKnown = async () => {
    const figures = await namesOf()
    return known.every((name) => figures.has(name)) && figures.get('lanewire_database_up') === 1
  }
  await until('all of it to be known', isKnown)
  postgres.cut()
  redis.cut()
  const away = await until('all of it to be unknown', async () => {
    const figures = await namesOf()
    return figures.get('lanewire_redis_up') === 0 && figures.get('lanewire_database_up') === 0 ? figures : undefined
  })
  t.same(
    known.filter((name) => away.has(name)),
    [],
  )
  postgres.heal()
  redis.heal()
  await until('all of it to be known again', isKnown)
})

t.test('names a PostgreSQL that is too old and the required version', async (t) => {
  for (const version of ['17.6 (Debian 17.6-1)', '9.6.24'])
    t.throws(() => requireVersion(version), /needs PostgreSQL 18 or newer.*17\.6|9\.6/)
  for (const version of ['18.0', '18beta1', '19.2']) t.doesNotThrow(() => requireVersion(version))
})
