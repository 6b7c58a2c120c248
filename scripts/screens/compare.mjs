/** `npm run screens -- --check` compares the screenshots in list.mjs with the accepted ones. `-- --accept` accepts new ones. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import sharp from 'sharp'
import { inRoot } from '../root.mjs'
import { CHECKED } from './list.mjs'

const MAX_WIDTH = 720
/** Allowed difference of a pixel (0 to 1), and allowed share of different pixels. They tolerate antialiasing, but not a missing button. */
const THRESHOLD = 0.1
const SHARE = 0.0003

const folder = inRoot('tests', 'screens')
const accepted = (/** @type {string} */ name) => join(folder, `${name}.webp`)
export const differences = inRoot('.data', 'screens', 'differences')

/** @param {Buffer} picture */
const reduced = (picture) => sharp(picture).resize({ width: MAX_WIDTH, withoutEnlargement: true })

/** @param {import('sharp').Sharp} picture */
async function pointsOf(picture) {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

export function beginComparison() {
  rmSync(differences, { recursive: true, force: true })
  mkdirSync(differences, { recursive: true })
  mkdirSync(folder, { recursive: true })
}

/** @param {string} name @param {Buffer} picture */
export async function accept(name, picture) {
  await reduced(picture).webp({ lossless: true, effort: 6 }).toFile(accepted(name))
  return ''
}

export function tidyAccepted() {
  const files = readdirSync(folder).filter((file) => file.endsWith('.webp'))
  for (const file of files) if (!CHECKED.includes(file.slice(0, -'.webp'.length))) rmSync(join(folder, file))
  return readdirSync(folder).reduce((bytes, file) => bytes + statSync(join(folder, file)).size, 0)
}

/** Returns how the picture differs from the accepted one, or ''. @param {string} name @param {Buffer} picture */
export async function compare(name, picture) {
  if (!existsSync(accepted(name))) return 'none was accepted yet'
  const [before, now] = [await pointsOf(sharp(accepted(name))), await pointsOf(reduced(picture))]
  const { width, height } = now
  if (before.width !== width || before.height !== height)
    return `${width} × ${height} points, and ${before.width} × ${before.height} were accepted`
  const points = Buffer.alloc(width * height * 4)
  const count = pixelmatch(before.data, now.data, points, width, height, { threshold: THRESHOLD })
  const share = count / (width * height)
  if (share <= SHARE) return ''
  const write = (/** @type {string} */ what, /** @type {Buffer} */ data) =>
    sharp(data, { raw: { width, height, channels: 4 } })
      .png()
      .toFile(join(differences, `${name}-${what}.png`))
  await Promise.all([write('accepted', before.data), write('now', now.data), write('difference', points)])
  return `${(share * 100).toFixed(2)} % of its points differ`
}
