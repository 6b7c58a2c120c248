import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { freePort } from '#tests/support/balancer.ts'

/** Claims the data folder with the calls of `npm start`, and keeps it until its input ends. */
const start = `import { prepareRun, wantedPort } from './claim-folder.mjs'
const release = await prepareRun(wantedPort())
process.stdout.write('claimed')
process.stdin.on('end', release).resume()`

/** Copies the scripts to a folder, so that the test has a data folder of its own. */
function copyScripts(folder: string): void {
  cpSync('scripts', join(folder, 'scripts'), { recursive: true })
  cpSync('package-lock.json', join(folder, 'package-lock.json'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'scripts/run/start.mjs'), start)
}

t.test('links to PUBLIC_URL or PORT, and without them to the product that runs from the folder', async (t) => {
  const folder = t.testdir()
  copyScripts(folder)
  const environment = (values: NodeJS.ProcessEnv) => ({
    PATH: process.env['PATH'],
    REDIS_URL: 'redis://127.0.0.1',
    ...values,
  })
  const claim = pathToFileURL(join(folder, 'scripts/run/claim-folder.mjs')).href
  const print = `const { productAddress } = await import('${claim}'); process.stdout.write(String(productAddress()))`
  const addressWith = async (values: NodeJS.ProcessEnv = {}) => {
    const args = ['--input-type=module', '--eval', print]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment(values) })
    return stdout
  }
  t.equal(await addressWith(), 'http://localhost:5000')
  t.equal(await addressWith({ PORT: '5431' }), 'http://localhost:5431')
  t.equal(await addressWith({ PORT: '5431', PUBLIC_URL: 'https://lane.example' }), 'https://lane.example')

  const PORT = String(await freePort())
  for (const [values, address] of [
    [{ PORT }, `http://localhost:${PORT}`],
    [{ PORT, PUBLIC_URL: 'https://lane.example' }, 'https://lane.example'],
  ] as const) {
    const env = environment(values)
    const product = spawn(process.execPath, [join(folder, 'scripts/run/start.mjs')], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    t.teardown(() => product.kill())
    await once(product.stdout, 'data')
    t.equal(await addressWith(), address)
    t.equal(await addressWith({ PORT: '5431' }), 'http://localhost:5431')
    product.stdin.end()
    await once(product, 'exit')
    t.equal(await addressWith(), 'http://localhost:5000')
  }
})
