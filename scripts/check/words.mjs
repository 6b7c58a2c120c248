import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../root.mjs'
import { textsOf } from './texts.mjs'
import { WORDS } from './word-list.mjs'

const FOLDERS = ['bench', 'client', 'docs', 'scripts', 'server', 'shared', 'tests', '.github']
const OTHERS = /\.(?:ts|mjs|md|yaml|conf|example)$|oxlintrc\.json$|^Dockerfile$/
/** Skips public assets, generated files, the word list itself, and the column names of spreadsheets. */
const SKIPPED = /^client.public|server.db.schema\.ts|shared.routes\.ts|word-list\.mjs|sheet-columns\.ts/

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => /\.(?:tsx?|mjs|sql|css|html|md|ya?ml)$|Caddyfile$/.test(file) && !SKIPPED.test(file))

/** @param {string} file */
const faultsIn = (file) =>
  textsOf(file).flatMap(({ kind, line, text }) => {
    // Skip strings that are neither titles nor assertion messages: in tests they are test data, and in migrations they are SQL.
    if (kind === 'string' && /^tests|migrations/.test(file)) return []
    const found = WORDS.find((entry) => (entry.in?.includes(kind) ?? true) && entry.word.test(text))
    return found ? [`${file}:${line}: "${found.word.exec(text)?.[0].trim()}": write ${found.write}`] : []
  })

/** Finds the words of word-list.mjs in comments, test titles, messages, screens and documents. */
export async function checkWords() {
  const others = readdirSync(inRoot('.')).filter((name) => OTHERS.test(name))
  return [...FOLDERS.flatMap(filesIn), ...others].flatMap(faultsIn).join('\n')
}
