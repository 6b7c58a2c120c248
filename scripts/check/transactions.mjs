import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { inRoot } from '../root.mjs'

const OPENERS = new Set(['transact', 'complete'])
/** Properties of `ctx` that perform no I/O. */
const HARMLESS = new Set(['config', 'log', 'now', 'onLeaving'])
const OUTSIDE = new Set(['fetch', 'guardedFetch'])

/** @param {ts.CallExpression} call */
const opensTransaction = ({ expression }) =>
  ts.isPropertyAccessExpression(expression) &&
  (OPENERS.has(expression.name.text) ||
    (expression.name.text === 'execute' && expression.expression.getText().endsWith('.transaction()')))

/** Returns identifiers in a transaction that could be used for I/O outside of it. @param {ts.Node} work @returns {ts.Node[]} */
function outsideCalls(work) {
  if (ts.isIdentifier(work)) {
    const { parent } = work
    if (OUTSIDE.has(work.text)) return [work]
    if (work.text !== 'ctx') return []
    return ts.isPropertyAccessExpression(parent) && HARMLESS.has(parent.name.text) ? [] : [work]
  }
  /** @type {ts.Node[]} */
  const found = []
  work.forEachChild((child) => void found.push(...outsideCalls(child)))
  return found
}

/** @param {ts.Node} node @returns {ts.Node[]} */
function faultsIn(node) {
  if (ts.isCallExpression(node) && opensTransaction(node)) return node.arguments.flatMap(outsideCalls)
  /** @type {ts.Node[]} */
  const found = []
  node.forEachChild((child) => void found.push(...faultsIn(child)))
  return found
}

/** Finds transactions that could wait for other I/O, such as a provider, the mail server, the disk, or another pool connection. */
export async function checkTransactions() {
  return readdirSync(inRoot('server'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('server', name))
    .toSorted()
    .flatMap((file) => {
      const source = ts.createSourceFile(file, readFileSync(inRoot(file), 'utf8'), ts.ScriptTarget.Latest, true)
      return faultsIn(source).map((node) => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        return `${file}:${line + 1}: ${node.getText()} inside a transaction: do it before or after, or hand on only what is needed`
      })
    })
    .join('\n')
}
