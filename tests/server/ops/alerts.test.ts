import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'

interface Rules {
  groups: { rules: { alert?: string }[] }[]
}

interface RuleTests {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[]
}

const monitoring = async (file: string): Promise<unknown> => parse(await readFile(`docs/monitoring/${file}`, 'utf8'))

const promtool = (...args: string[]) => promisify(execFile)('promtool', args, { cwd: 'docs/monitoring' })

const isThere = await promtool('--version').then(
  () => true,
  () => false,
)

t.test(
  'fires alerts when they should and stays silent otherwise',
  { skip: !isThere && 'promtool is not installed: it comes with Prometheus' },
  async (t) => {
    await t.resolves(promtool('check', 'rules', 'alerts.yaml'))
    await t.resolves(promtool('test', 'rules', 'alerts.test.yaml'))
  },
)

t.test('has a test of each alert that it fires, and one that it stays silent', async (t) => {
  const { groups } = (await monitoring('alerts.yaml')) as Rules
  const alerts = groups.flatMap(({ rules }) => rules.flatMap(({ alert = [] }) => alert)).toSorted()
  const { tests } = (await monitoring('alerts.test.yaml')) as RuleTests
  const expectations = tests.flatMap(({ alert_rule_test: expected }) => expected)
  const namesOf = (fires: boolean) => {
    const found = expectations.filter(({ exp_alerts: alerts = [] }) => alerts.length > 0 === fires)
    return [...new Set(found.map(({ alertname }) => alertname))].toSorted()
  }
  t.same(namesOf(true), alerts)
  t.same(namesOf(false), alerts)
})
