import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import t from 'tap'
import ts from 'typescript'
import { startApp } from '#tests/support/app.ts'

const app = await startApp(t)

/** This program fails to compile if a name or type is missing from the generated types. */
const program = `
import type { components, operations } from './api.ts'

type Post = components['schemas']['Post']
type Feed = operations['getInventory']['responses'][200]['content']['application/json']
type NewPost = NonNullable<operations['postInventory']['requestBody']>['content']['application/json']

export const titleOf = (post: Post): string => post.title
export const titlesOf = (feed: Feed): string[] => feed.map(titleOf)
export const sellerOf = (post: Post): components['schemas']['Dealer'] => post.dealer
export const draft: NewPost = { title: '2021 Ford F-150', type: 'single' } satisfies components['schemas']['NewPost']
`

t.test('compiles a client generated from the API description', async (t) => {
  const { body } = await (await app.signIn()).get<OpenAPI3>('/api/docs/json')
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-client-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'api.ts'), astToString(await openapiTS(body)))
  await writeFile(join(folder, 'use.ts'), program)
  const compiled = ts.createProgram([join(folder, 'use.ts')], {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    types: [],
  })
  const faults = ts.getPreEmitDiagnostics(compiled)
  t.same(
    faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    [],
  )
})

const notAsked = {
  // This rule is off, because every operation describes its errors under `default`.
  'operation-4xx-response': 'off',
} as const

t.test("passes Redocly's recommended rules for the API description", async (t) => {
  const { body } = await (await app.signIn()).get<OpenAPI3>('/api/docs/json')
  const config = await createConfig({ extends: ['recommended'], rules: notAsked })
  const problems = await lintFromString({ source: JSON.stringify(body), config })
  t.same(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  )
})
