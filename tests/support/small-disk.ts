import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const run = promisify(execFile)

interface SmallDisk {
  folder: string
  /** Value for the `skip` option of a test: the reason if nothing can be mounted, otherwise false. */
  skip: string | false
}

export async function mountSmallDisk(t: Test, kibibytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-disk-'))
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=777`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  )
  t.teardown(async () => {
    if (isMounted) await run('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  })
  return { folder, skip: !isMounted && 'a small disk cannot be mounted here: that takes root and mount(8)' }
}
