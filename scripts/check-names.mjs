import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'node:path'
import { inRoot } from './root.mjs'

/** The table of docs/architecture.md that names the features. */
const HOME = 'docs/architecture.md'

/** Where features stand, and what stands beside them. */
/** @type {Record<string, string[]>} */
const LISTINGS = {
  'server/features': [],
  'client/features': [],
  'tests/server': ['platform'],
  'shared/schemas': [],
  'shared/events': ['index', 'control'],
}

/** Names of features that one side has invented for itself. */
export async function checkNames() {
  const table =
    readFileSync(inRoot(...HOME.split('/')), 'utf8')
      .split('\n## Features\n')[1]
      ?.split('\n## ')[0] ?? ''
  const features = new Set([...table.matchAll(/^\| ([a-z]+) +\|/gm)].map(([, name = '']) => name))
  return Object.entries(LISTINGS)
    .flatMap(([folder, others]) =>
      readdirSync(inRoot(...folder.split('/')))
        .map((entry) => parse(entry).name)
        .filter((name) => !features.has(name) && !others.includes(name))
        .map((name) => `${folder}/${name} is no feature of ${HOME}: take one of its names, or add a row there`),
    )
    .join('\n')
}
