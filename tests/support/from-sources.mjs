/** `node --import=./tests/support/from-sources.mjs FILE` runs a test without compiling it first. Style sheets become empty modules. */
import { register } from 'node:module'
import { register as registerSources } from 'tsx/esm/api'

registerSources()
const load = `export const load = (url, context, next) =>
  url.endsWith('.css') ? { format: 'module', source: '', shortCircuit: true } : next(url, context)`
register(`data:text/javascript,${encodeURIComponent(load)}`)
