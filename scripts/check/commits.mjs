import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { promisify } from 'node:util'
import { root } from '../root.mjs'

/** Only commits after the commit that added this file are checked. */
const FIRST = 'scripts/check/commits.mjs'
const LIMIT = 72
const TYPES = ['bench', 'build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test']
const FORM = new RegExp(String.raw`^(?:${TYPES.join('|')})(?:\([a-z0-9,-]+\))?!?: (?<words>\S.*)$`)

/** Endings of base verbs that look like the endings -s, -ed or -ing, as in pass, focus, need, embed, shed and bring. */
const BASE_FORM = /(?:ss|us|eed|bed|hed|ring)$/
const NO_VERB = /^(?:an?|the|what|who|whose|which|where|when|if|one|no|nobody|nothing|its?|of|there)$/i

/** True if the word cannot begin an imperative sentence. @param {string} word */
const isNoCommand = (word) => NO_VERB.test(word) || (/(?:s|ed|ing)$/.test(word) && !BASE_FORM.test(word))

/** Returns the problems with a commit subject. @param {string} subject @returns {string[]} */
export function subjectFaults(subject) {
  // Git generates this subject.
  if (subject.startsWith('Revert "')) return []
  const words = FORM.exec(subject)?.groups?.['words'] ?? ''
  const [first = ''] = words.split(/[\s:,]/)
  return [
    words === '' && `begin with "type: " or "type(area): ", where type is ${TYPES.join(', ')}`,
    subject.length > LIMIT && `use at most ${LIMIT} characters, not ${subject.length}`,
    subject.endsWith('.') && 'end without a period',
    isNoCommand(first) && `begin with what the commit does, such as "fix" or "add", not "${first}"`,
  ].filter((fault) => fault !== false)
}

/** Checks the subjects of all commits after FIRST that this clone has. Finds nothing outside a Git repository. @param {string} [folder] */
export async function checkCommits(folder = root) {
  // Inside a hook, Git sets GIT_DIR, which would override the folder.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  /** @param {string[]} args */
  const git = async (...args) => (await promisify(execFile)('git', args, { cwd: folder, env })).stdout.trim()
  // A source archive may have been unpacked inside another repository.
  const top = await git('rev-parse', '--show-toplevel').catch(() => '')
  if (!top || realpathSync(top) !== realpathSync(folder)) return ''
  // In a shallow clone, the oldest commit seems to add every file, so only later commits are checked.
  const first = (await git('log', '--diff-filter=A', '--format=%H', '--', FIRST)).split('\n').at(-1)
  if (!first) return ''
  const log = await git('log', '--no-merges', '--format=%h %s', `${first}..HEAD`)
  return log
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const [hash = '', subject = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
      return subjectFaults(subject).map((fault) => `${hash} "${subject}": ${fault}`)
    })
    .join('\n')
}
