import type { Db } from '#server/platform/db.ts'

export async function seedDemo(_into: { db: Db; storageDir: string; now: Date }): Promise<void> {
  await Promise.resolve()
}
