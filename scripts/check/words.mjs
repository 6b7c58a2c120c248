import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../root.mjs'

/** Words that make comments, documents and screens hard to read, each with a plain one. */
/** @type {[RegExp, string][]} */
const WORDS = [
  [/\bwhoever\b/i, 'the person or program that is meant'],
  [/\bwhomever\b/i, 'the person or program that is meant'],
  [/\banew\b/i, 'again'],
  [/\be-mail/i, 'email'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bthat which\b/i, 'the thing that is meant'],
  [/\bat the door\b/i, 'before a request is handled'],
  [/\b[Nn]obody waits\b|\b[Ww]aits for nobody\b/, 'No one is waiting'],
]

const COMMENT = /^\s*(?:\/?\*|\/\/)|\s\/\/ /
/** Migrations are never edited, and one page quotes the names of tests that are gone. */
const SKIPPED = /migrations|check-words\.mjs$|testing-browser-tests\.md$/

/** @param {string[]} folders @param {RegExp} ending */
const filesIn = (folders, ending) =>
  folders.flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => ending.test(file) && !SKIPPED.test(file)),
  )

/** @param {string} file @param {(line: string) => boolean} isRead */
const wordsIn = (file, isRead) =>
  readFileSync(inRoot(file), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const found = isRead(line) ? WORDS.find(([word]) => word.test(line)) : undefined
      return found ? [`${file}:${index + 1}: "${found[0].exec(line)?.[0]}": write ${found[1]}`] : []
    })

/** Finds hard words in comments, in everything that the client shows, and in documents. */
export async function checkWords() {
  const comments = filesIn(['server', 'shared', 'scripts', 'bench', 'tests'], /\.(?:tsx?|mjs)$/)
  const shown = filesIn(['client'], /\.(?:tsx?|html|css)$/)
  const documents = [...filesIn(['docs'], /\.md$/), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
  return [
    ...comments.flatMap((file) => wordsIn(file, (line) => COMMENT.test(line))),
    ...[...shown, ...documents].flatMap((file) => wordsIn(file, () => true)),
  ].join('\n')
}
