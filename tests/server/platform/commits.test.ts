import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'

interface CommitCheck {
  subjectFaults(subject: string): string[]
  checkCommits(folder: string): Promise<string>
}
const { subjectFaults, checkCommits } = (await import(pathToFileURL('scripts/check/commits.mjs').href)) as CommitCheck

/** The environment without the Git variables that a hook sets, such as GIT_DIR, and without this machine's Git settings. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}
const skip = spawnSync('git', ['--version']).status === 0 ? false : 'no Git'

/** Creates a repository with one commit per subject. The second commit adds the check. */
function aRepository(t: Test, subjects: string[]): string {
  const folder = join(t.testdir({}), 'repository')
  mkdirSync(join(folder, 'scripts', 'check'), { recursive: true })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env })
  git('init', '--quiet')
  for (const [index, subject] of subjects.entries()) {
    writeFileSync(join(folder, index === 1 ? 'scripts/check/commits.mjs' : `${index}.txt`), subject)
    git('add', '.')
    git('-c', 'user.name=Test', '-c', 'user.email=test@test.example', 'commit', '--quiet', '-m', subject)
  }
  return folder
}

t.test('accepts imperative subjects with a type and at most 72 characters', (t) => {
  for (const subject of [
    'fix(auctions): count a bid once when Enter is pressed twice',
    'test: pass the time zone',
    'feat(find,wanted)!: process saved searches',
    'fix(ui): focus the field',
    'chore(deps): bring back the lock file',
    'Revert "fix(ui): focus the field"',
  ])
    t.same(subjectFaults(subject), [], subject)
  t.match(subjectFaults('a bid counts once'), [/^begin with "type: "/])
  t.match(subjectFaults('fix(auctions): count a bid once.'), [/period/])
  t.match(subjectFaults(`fix: count ${'a'.repeat(62)}`), [/72 characters, not 73/])
  for (const verb of ['fixes', 'fixed', 'fixing', 'what', 'the'])
    t.match(subjectFaults(`fix: ${verb} a bid`), [new RegExp(`not "${verb}"`)])
  t.end()
})

t.test('checks the commits after its own only', { skip }, async (t) => {
  const folder = aRepository(t, ['An old subject', 'build: add the check', 'fix: count a bid', 'counts a bid'])
  t.match(await checkCommits(folder), /^\w+ "counts a bid": begin with "type: "[^\n]+$/)
})

t.test('passes for a shallow clone, an archive and an archive inside another repository', { skip }, async (t) => {
  const folder = aRepository(t, ['build: start', 'build: add the check', 'counts a bid', 'Counted it'])
  const clone = join(t.testdirName, 'shallow')
  execFileSync('git', ['clone', '--quiet', '--depth=1', pathToFileURL(folder).href, clone], { env })
  t.equal(await checkCommits(clone), '')
  const inside = join(folder, 'inside')
  mkdirSync(inside)
  cpSync(join(folder, 'scripts'), join(inside, 'scripts'), { recursive: true })
  t.equal(await checkCommits(inside), '')
  rmSync(join(clone, '.git'), { recursive: true })
  t.equal(await checkCommits(clone), '')
})
