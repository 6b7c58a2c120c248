import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

interface RedisPackage {
  canFetchPackage(): boolean
  fetchPackage(folder: string, options?: string[]): Promise<string>
  findFetched(folder: string): { path: string; env: Record<string, string> } | undefined
}
const { canFetchPackage, fetchPackage, findFetched } = (await import(
  pathToFileURL('scripts/programs/redis-package.mjs').href
)) as RedisPackage

interface Package {
  name: string
  depends?: string
  files: Record<string, string>
}

/** Builds a local package source. Returns the apt-get options that use only this source. */
function makeSource(folder: string, packages: Package[]): string[] {
  const index = packages.map(({ name, depends, files }) => {
    const root = join(folder, name)
    const control = [
      `Package: ${name}`,
      'Version: 1.0',
      'Architecture: all',
      'Maintainer: Nobody <nobody@example.com>',
      'Description: a package of a test',
      ...(depends === undefined ? [] : [`Depends: ${depends}`]),
    ].join('\n')
    for (const [path, content] of Object.entries({ ...files, 'DEBIAN/control': `${control}\n` })) {
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), content)
      chmodSync(join(root, path), 0o755)
    }
    const file = `${name}.deb`
    execFileSync('dpkg-deb', ['--root-owner-group', '--build', root, join(folder, file)])
    const sum = createHash('sha256').update(readFileSync(join(folder, file)))
    return `${control}\nFilename: ./${file}\nSize: ${statSync(join(folder, file)).size}\nSHA256: ${sum.digest('hex')}\n`
  })
  writeFileSync(join(folder, 'Packages'), index.join('\n'))
  writeFileSync(join(folder, 'sources.list'), `deb [trusted=yes] copy:${folder} ./\n`)
  writeFileSync(join(folder, 'status'), '')
  return [
    `Dir::Etc::SourceList=${join(folder, 'sources.list')}`,
    'Dir::Etc::SourceParts=/dev/null',
    `Dir::State::Status=${join(folder, 'status')}`,
  ]
}

const hasApt = canFetchPackage() ? {} : { skip: 'this system has no apt-get' }

t.test('unpacks Redis and missing libraries without installing anything', hasApt, async (t) => {
  const folder = t.testdir({ source: {}, data: {} })
  const data = join(folder, 'data')
  const options = makeSource(join(folder, 'source'), [
    { name: 'redis-server', depends: 'libfast', files: { 'usr/bin/redis-server': '#!/bin/sh\necho v=7.2.0\n' } },
    { name: 'libfast', files: { 'usr/lib/some-linux-gnu/libfast.so.1': '' } },
  ])
  t.equal(findFetched(data), undefined)
  t.equal(await fetchPackage(data, options), '')
  const program = findFetched(data)
  t.match(execFileSync(program?.path ?? '', { encoding: 'utf8' }), 'v=7.2.0')
  const [libraries = ''] = program?.env['LD_LIBRARY_PATH']?.split(':') ?? []
  t.ok(existsSync(join(libraries, 'libfast.so.1')))
  t.same(readdirSync(data), ['redis-server'], 'downloads and lists are deleted')

  t.equal(await fetchPackage(data, options), '', 'a concurrent run keeps the existing folder')
  t.same(readdirSync(data), ['redis-server'])
})

t.test('reports why the package cannot be fetched and leaves nothing behind', hasApt, async (t) => {
  const folder = t.testdir({ source: {}, data: {} })
  const options = makeSource(join(folder, 'source'), [
    { name: 'redis-server', depends: 'a-missing-library', files: { 'usr/bin/redis-server': '#!/bin/sh\n' } },
  ])
  t.match(await fetchPackage(join(folder, 'data'), options), /^E: /)
  t.same(readdirSync(join(folder, 'data')), [])
})
