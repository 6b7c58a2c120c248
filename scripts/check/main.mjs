/** `npm run check [-- --fix] [-- NAME]` runs all static checks, or the checks whose name starts with NAME. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { checkCommits } from './commits.mjs'
import { checkDocs } from './docs.mjs'
import { checkLayout } from './layout.mjs'
import { checkNames } from './names.mjs'
import { Fault, run, print } from '../console.mjs'
import { schemaFaults } from '../generate/db-types.mjs'
import { ensureInstalled } from '../run/install.mjs'
import { inRoot, root } from '../root.mjs'
import { routesFaults } from '../generate/routes.mjs'

/** @typedef {{ name: string, run: () => Promise<string> }} Check `run` resolves to the problems found, or '' if there are none */

/** Runs a package's command. Returns the output if the command fails. @param {string} name @param {string[]} args */
async function tool(name, args, command = name) {
  const { bin } = JSON.parse(readFileSync(inRoot('node_modules', name, 'package.json'), 'utf8'))
  const entry = inRoot('node_modules', name, typeof bin === 'string' ? bin : bin[command])
  const child = spawn(process.execPath, [entry, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (bytes) => (output += bytes))
  child.stderr.on('data', (bytes) => (output += bytes))
  const [code] = await once(child, 'close')
  return code === 0 ? '' : output || `${name} ended with ${code}`
}

/** Returns all checks. Most of the slow checks come first, so that all finish sooner. @param {boolean} fix @returns {Check[]} */
const checks = (fix) => [
  { name: 'lint', run: () => tool('oxlint', ['--deny-warnings', ...(fix ? ['--fix'] : [])]) },
  { name: 'format', run: () => tool('oxfmt', [fix ? '--write' : '--check']) },
  ...['tests', 'server', 'client', 'scripts'].map((part) => ({
    name: `types: ${part}`,
    // The native compiler takes half as long as the JavaScript one. A second checker thread would triple the time on two cores.
    run: () => tool('typescript-7', ['-p', part, '--pretty', 'false', '--checkers', '1'], 'tsc'),
  })),
  {
    name: 'import zones',
    run: () => tool('dependency-cruiser', ['client', 'server', 'shared', 'tests', 'bench'], 'depcruise'),
  },
  { name: 'unused code', run: () => tool('knip', ['--no-progress', '--no-config-hints']) },
  { name: 'containers', run: async () => (await import('./containers.mjs')).checkContainers() },
  { name: 'docs', run: checkDocs },
  { name: 'layout', run: checkLayout },
  { name: 'names', run: checkNames },
  { name: 'words', run: async () => (await import('./words.mjs')).checkWords() },
  { name: 'commits', run: () => checkCommits() },
  { name: 'transactions', run: async () => (await import('./transactions.mjs')).checkTransactions() },
  { name: 'generated route table', run: routesFaults },
  { name: 'generated database types', run: schemaFaults },
]

run(async () => {
  await ensureInstalled()
  const wanted = process.argv.slice(2).filter((word) => word !== '--fix')
  const waiting = checks(process.argv.includes('--fix')).filter(
    ({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)),
  )
  if (waiting.length === 0) throw new Fault(`No check begins with ${wanted.join(' or ')}.`)
  let failed = 0
  let passed = 0
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const began = Date.now()
      const faults = await check.run().catch((/** @type {Error} */ error) => error.stack ?? error.message)
      print(`${faults ? '✗' : '✓'} ${check.name}  ${((Date.now() - began) / 1000).toFixed(1)}s`)
      if (faults) print(faults.trimEnd())
      if (faults) failed += 1
      else passed += 1
    }
  }
  await Promise.all([worker(), worker()])
  print(`\n${passed} checks passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
})
