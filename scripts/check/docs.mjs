import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inRoot } from '../root.mjs'

/** Matches project paths in code spans, such as `server/app.ts` or `docs/adr`, but no paths with a placeholder such as `*` or `…`. */
const CODE_SPAN = /`((?:client|server|shared|tests|scripts|bench|docs|\.github)\/[\w./-]*)`/g
const CITED = /(?<![\w/])docs\/[\w./-]+\.md\b/g
/** Matches phrases in comments that refer to documents outside of the project. */
const ABSENT = /\bREADING\b|\b[Tt]he (?:two )?(?:specification|documents)\b/
const COMMENT = /^\s*(?:\/?\*|\/\/|--)|\s\/\/ |\/\*/
/** Matches section numbers of these documents, for example `(A 12)`. */
const KEY = /['"`(][AB] \d{1,2}(?:: |\))/
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g

const OWN = join('scripts', 'check', 'docs.mjs')

const documents = () => [
  ...readdirSync(inRoot('.')).filter((name) => name.endsWith('.md')),
  ...['docs', 'client', 'server'].flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
]

const sources = () =>
  ['client', 'server', 'shared', 'tests', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => /\.(?:tsx?|mjs|sql|css)$/.test(file) && file !== OWN),
  )

/** Finds references to documents that do not exist in the repository. @param {string} file */
function absentIn(file) {
  const text = readFileSync(inRoot(file), 'utf8')
  const cited = [...text.matchAll(CITED)].map(([path]) => path).filter((path) => !existsSync(inRoot(path)))
  const lines = text.split('\n').flatMap((line, index) => {
    const [words] = (COMMENT.test(line) && ABSENT.exec(line)) || KEY.exec(line) || []
    return words ? [`${file}:${index + 1}: "${words}" is not a document of this repository: cite docs/ or nothing`] : []
  })
  return [...cited.map((path) => `${file}: there is no ${path}`), ...lines]
}

export async function checkDocs() {
  const missing = documents().flatMap((file) => {
    const text = readFileSync(inRoot(file), 'utf8')
    const spans = [...text.matchAll(CODE_SPAN)].map(([, path = '']) => path).filter((path) => !/[A-Z]{3}/.test(path))
    const links = [...text.matchAll(LINK)].map(([, path = '']) => join(dirname(file), path))
    return [...spans, ...links]
      .filter((path) => !existsSync(inRoot(path)))
      .map((path) => `${file}: there is no ${path}`)
  })
  return [...new Set([...missing, ...sources().flatMap(absentIn)])].join('\n')
}
