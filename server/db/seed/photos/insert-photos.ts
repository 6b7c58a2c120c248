import type { Tx } from '#server/platform/database/db.ts'
import { openDiskStorage } from '#server/platform/storage/storage-disk.ts'
import { idAt } from '../ids.ts'
import { insertMany } from '../insert-many.ts'
import type { Network } from '../network.ts'
import { seededRandom } from '../random.ts'
import { planPhotos, type Drawing } from './photo-plan.ts'
import { renderPhotos } from './photo-render.ts'

const photoSeed = 48_210

/** Draws each distinct picture once. Returns a function that inserts the rows of photos and objects. */
export async function preparePhotos(network: Network, storageDir: string, now: Date) {
  const random = seededRandom(photoSeed)
  const plan = planPhotos(network.posts)
  const drawings = new Map<string, Drawing>(plan.map(({ drawing }) => [drawing.key, drawing]))
  const ids = new Map([...drawings.keys()].map((key) => [key, idAt(random, now)]))
  const storage = openDiskStorage(storageDir)
  const [owner] = network.dealers
  const objects: Record<string, unknown>[] = []
  await renderPhotos(drawings, async ({ key, shows }, { sizes, height, tint }) => {
    const id = ids.get(key) ?? key
    await Promise.all(sizes.map(({ width, content }) => storage.put(`${id}/${width}.webp`, content, 'image/webp')))
    const widths = sizes.map(({ width }) => width)
    objects.push({
      id,
      dealerId: owner?.id,
      kind: 'photo',
      state: 'ready',
      contentType: 'image/webp',
      bytes: sizes.at(-1)?.content.length ?? 0,
      width: widths.at(-1),
      height,
      widths,
      tint,
      shows,
      createdAt: now,
      storedAt: now,
      attachedAt: now,
    })
  })
  const photos = plan.map(({ postId, vehicleId, position, drawing }, index) => ({
    id: idAt(random, new Date(now.getTime() - plan.length + index)),
    postId,
    vehicleId,
    position,
    url: `/api/objects/${ids.get(drawing.key) ?? ''}`,
  }))
  return {
    async insert(tx: Tx): Promise<void> {
      await insertMany(tx, 'objects', objects)
      await insertMany(tx, 'photos', photos)
    },
  }
}
