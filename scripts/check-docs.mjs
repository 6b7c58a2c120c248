import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inRoot } from './root.mjs'

/** Paths of ours in code spans: `server/app.ts`, `docs/adr`. Those with a placeholder (NAME, *, …) name no file. */
const CODE_SPAN = /`((?:client|server|shared|tests|scripts|bench|docs|\.github)\/[\w./-]*)`/g
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g

const documents = () => [
  ...readdirSync(inRoot('.')).filter((name) => name.endsWith('.md')),
  ...['docs', 'client', 'server'].flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
]

/** What the documents name and the project does not have. */
export async function checkDocs() {
  const missing = documents().flatMap((file) => {
    const text = readFileSync(inRoot(file), 'utf8')
    const spans = [...text.matchAll(CODE_SPAN)].map(([, path = '']) => path).filter((path) => !/[A-Z]{3}/.test(path))
    const links = [...text.matchAll(LINK)].map(([, path = '']) => join(dirname(file), path))
    return [...spans, ...links]
      .filter((path) => !existsSync(inRoot(path)))
      .map((path) => `${file}: there is no ${path}`)
  })
  return [...new Set(missing)].join('\n')
}
