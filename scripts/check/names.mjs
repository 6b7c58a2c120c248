import { readdirSync, readFileSync } from 'node:fs'
import { parse, sep } from 'node:path'
import { inRoot } from '../root.mjs'

const HOME = 'docs/architecture.md'

/** Folders whose entries must be named after a feature, and the exceptions in each folder. @type {Record<string, string[]>} */
const LISTINGS = {
  'server/features': [],
  'client/features': [],
  'tests/server': ['platform'],
  'shared/schemas': [],
  'shared/events': ['index', 'control'],
}

const KEY = /\bqueryKey: \[|[kK]ey = \[/

/** Finds query keys outside `*.api.ts` and `client/lib`, because code that fetches data and code that patches it must share keys. */
const strayKeys = () =>
  readdirSync(inRoot('client'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.api.ts') && !name.startsWith(`lib${sep}`))
    .flatMap((name) =>
      readFileSync(inRoot('client', name), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          KEY.test(line) ? [`client/${name}:${index + 1}: define query keys in x.api.ts or in client/lib`] : [],
        ),
    )

export async function checkNames() {
  const table =
    readFileSync(inRoot(...HOME.split('/')), 'utf8')
      .split('\n## Features\n')[1]
      ?.split('\n## ')[0] ?? ''
  const features = new Set([...table.matchAll(/^\| ([a-z]+) +\|/gm)].map(([, name = '']) => name))
  const invented = Object.entries(LISTINGS).flatMap(([folder, others]) =>
    readdirSync(inRoot(...folder.split('/')))
      .map((entry) => parse(entry).name)
      .filter((name) => !features.has(name) && !others.includes(name))
      .map((name) => `${folder}/${name} is not a feature in ${HOME}: use one of its names, or add a row`),
  )
  return [...invented, ...strayKeys()].join('\n')
}
