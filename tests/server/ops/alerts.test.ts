import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

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
