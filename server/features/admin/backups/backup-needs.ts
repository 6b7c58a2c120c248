import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { connectAlone, findRole, listForeignOwners, sizeOfTables } from './backup-tables.repository.ts'

const mebibyte = 1_048_576
const growth = 1.2

const megabytes = (bytes: number) => `${Math.ceil(bytes / mebibyte)} MiB`

async function listRoleFaults(databaseUrl: string): Promise<{ faults: string[]; bytes: number }> {
  const client = await connectAlone(databaseUrl)
  try {
    const { name, mayCreate } = await findRole(client)
    const owners = await listForeignOwners(client)
    return {
      faults: [
        ...(mayCreate
          ? []
          : [
              `The role "${name}" in DATABASE_URL cannot create the scratch database used to verify backups. As a superuser, run alter role "${name}" createdb`,
            ]),
        ...owners.map(
          (owner) =>
            `Tables belong to "${owner}", not to the role "${name}" in DATABASE_URL. As a superuser, run reassign owned by "${owner}" to "${name}"`,
        ),
      ],
      bytes: await sizeOfTables(client),
    }
  } finally {
    await client.end()
  }
}

async function findDiskFault(folder: string, bytes: number): Promise<string | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  } catch (error) {
    return `Backups cannot be written to ${folder} in DATA_DIR (${(error as NodeJS.ErrnoException).code})`
  }
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes) return undefined
  return `A backup needs ${megabytes(bytes)} in ${folder} in DATA_DIR, but only ${megabytes(free)} are free. Free up space, or lower BACKUPS_KEPT`
}

/** Returns a sentence with the solution for each problem that prevents backups. @param lastBytes size of the newest verified backup */
export async function listBackupFaults(
  databaseUrl: string,
  folder: string,
  lastBytes: number | undefined,
): Promise<string[]> {
  const { faults, bytes } = await listRoleFaults(databaseUrl)
  const disk = await findDiskFault(folder, (lastBytes ?? bytes) * growth)
  return disk === undefined ? faults : [...faults, disk]
}
