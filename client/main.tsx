import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { followNotice } from './lib/screen/desktop-notices.ts'
import { registerServiceWorker } from './lib/screen/service-worker.ts'
import { watchTheme } from './app/theme.ts'
import './styles/app.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
watchTheme()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
registerServiceWorker(followNotice)
