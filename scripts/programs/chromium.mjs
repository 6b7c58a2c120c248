import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { inRoot, root } from '../root.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'Google Chrome']
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/Applications/Google Chrome.app/Contents/MacOS']

/** @param {string} path */
function works(path) {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    return false
  }
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}

/** @param {string} home @param {...string} others additional font folders */
function fontConfiguration(home, ...others) {
  const folder = join(home, 'fonts').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const dirs = [folder, ...others].map((dir) => `<dir>${dir}</dir>`).join('')
  return `<?xml version="1.0"?><fontconfig>${dirs}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>`
}

/** Unpacks @sparticuz/chromium and configures fonts, because without a font all text would have zero size. */
function unpackBundled() {
  const home = inRoot('.data', 'chromium')
  const [path, fonts] = [join(home, 'chromium'), join(home, 'lanewire-fonts.conf')]
  const known = process.env['LD_LIBRARY_PATH']
  const libraries = join(home, 'al2023', 'lib')
  const env = { LD_LIBRARY_PATH: known ? `${known}:${libraries}` : libraries, FONTCONFIG_FILE: fonts }
  if (existsSync(fonts)) return { path, env }
  const fresh = `${home}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  // The package unpacks into os.tmpdir(), and adds its libraries only in AWS Lambda, so simulate Lambda in a child process.
  const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
  const lambda = {
    ...process.env,
    TMPDIR: fresh,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x',
    AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x',
  }
  execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: lambda,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(home, { recursive: true, force: true })
  renameSync(fresh, home)
  writeFileSync(fonts, fontConfiguration(home, '/usr/share/fonts', '/usr/local/share/fonts'))
  return { path, env }
}

/** Returns the Chromium at CHROMIUM_PATH, an installed one, or the bundled one. @returns {{ path: string, env: Record<string, string> }} */
export function findChromium() {
  const wanted = process.env['CHROMIUM_PATH']
  if (wanted) return { path: wanted, env: {} }
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS]
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  const found = candidates.find((path) => existsSync(path) && works(path))
  return found ? { path: found, env: {} } : unpackBundled()
}

/** Returns the bundled Chromium with only its own fonts, so that screenshots look the same on every machine. */
export function bundledChromium() {
  const { path, env } = unpackBundled()
  const home = inRoot('.data', 'chromium')
  const fonts = join(home, 'own-fonts.conf')
  writeFileSync(fonts, fontConfiguration(home))
  return { path, env: { ...env, FONTCONFIG_FILE: fonts } }
}
