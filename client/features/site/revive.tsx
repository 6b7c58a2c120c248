import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { islands } from './islands.tsx'

/** Brings one island to life where its HTML already stands. */
export async function revive(element: HTMLElement): Promise<void> {
  const name = element.dataset['island'] ?? ''
  const load = islands[name]
  if (!load) throw new Error(`No island is called ${name}`)
  const island = await load(JSON.parse(element.dataset['props'] ?? '{}') as never)
  hydrateRoot(element, <StrictMode>{island}</StrictMode>, { identifierPrefix: name })
}
