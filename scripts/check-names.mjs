import { existsSync, readdirSync } from 'node:fs'
import { inRoot } from './root.mjs'

/** The features. One name in each folder below; a new feature is a new word here. */
const FEATURES = [
  'account',
  'admin',
  'auctions',
  'auth',
  'billing',
  'comments',
  'dashboard',
  'dealers',
  'deals',
  'messaging',
  'moderation',
  'notifications',
  'onboarding',
  'ops',
  'posting',
  'posts',
  'promotions',
  'reviews',
  'saved',
  'site',
  'uploads',
]

/** Where features have their part, and what else is there. */
const PLACES = [
  { folder: 'server/features', others: [] },
  { folder: 'client/features', others: [] },
  { folder: 'shared/schemas', others: [] },
  { folder: 'shared/events', others: ['control', 'index'] },
  { folder: 'tests/server', others: ['platform'] },
]

/** A name that one side invents, and a feature that nobody has. */
export async function checkNames() {
  const found = PLACES.map(({ folder, others }) => ({
    folder,
    names: readdirSync(inRoot(folder))
      .map((name) => name.replace(/\.\w+$/, ''))
      .filter((name) => !others.includes(name)),
  }))
  const known = new Set(FEATURES)
  const invented = found.flatMap(({ folder, names }) =>
    names
      .filter((name) => !known.has(name))
      .map(
        (name) => `${folder}/${name}: no feature is called so; use its one name, or add it to scripts/check-names.mjs`,
      ),
  )
  const unused = FEATURES.filter((name) => !existsSync(inRoot('server', 'features', name))).map(
    (name) => `${name}: named in scripts/check-names.mjs, but server/features has no such folder`,
  )
  return [...invented, ...unused].join('\n')
}
