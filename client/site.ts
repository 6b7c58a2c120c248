import { keepPublicView, rememberUnknownPath } from './features/site/site-links.ts'
import { registerServiceWorker } from './lib/service-worker.ts'
import './styles/app.css'
import './styles/site.css'

/** React is fetched only for pages that have something to bring to life. */
async function reviveIslands(): Promise<void> {
  const elements = document.querySelectorAll<HTMLElement>('[data-island]')
  if (elements.length === 0) return
  const { revive } = await import('./features/site/revive.tsx')
  await Promise.all([...elements].map(revive))
}

rememberUnknownPath()
keepPublicView()
// A notice leads into the app, which is another document.
registerServiceWorker((path) => window.location.assign(path))
void reviveIslands()
