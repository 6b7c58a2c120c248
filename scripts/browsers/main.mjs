/** `npm run test:browsers [-- firefox|webkit]` runs common tasks in the installed browsers. Saves screenshots in .data/browsers. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { kinds } from './drivers.mjs'
import { createUser } from './user-actions.mjs'
import { Fault, run, print } from '../console.mjs'
import { ensureInstalled } from '../run/install.mjs'
import { withOwnDemo } from '../run/temporary-demo.mjs'
import { requireRedis } from '../programs/redis.mjs'
import { inRoot } from '../root.mjs'

await ensureInstalled()
const { steps } = await import('./steps.mjs')

const folder = inRoot('.data', 'browsers')
const howTo = 'apt-get install --no-install-recommends firefox-esr webkit2gtk-driver xvfb'
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

/** @param {string} theme */
function applyTheme(theme) {
  document.documentElement.dataset['theme'] = theme
  const changes = document.getAnimations().filter((one) => one instanceof CSSTransition)
  return Promise.allSettled(changes.map(({ finished }) => finished)).then(() => true)
}

/** @param {import('./user-actions.mjs').User} user @param {string} name */
async function captureThemes(user, name) {
  for (const theme of ['dark', 'light']) {
    await user.read(applyTheme, theme)
    writeFileSync(`${folder}/${name}-${theme}.png`, await user.picture())
  }
}

/** @param {string} name @param {string} program @param {typeof sizes[number]} size @param {string} url @returns {Promise<number>} */
async function runSteps(name, program, size, url) {
  const kind = kinds[name]
  if (!kind) throw new Fault(`There is no way to drive ${name}.`)
  const driver = await kind.drive(program, size)
  const user = createUser(driver, url)
  const who = `${name} at ${size.width}`
  print(`\n${name} ${driver.version}, ${size.width} px wide`)
  let failed = 0
  try {
    for (const [step, go] of Object.entries(steps)) {
      const picture = (/** @type {string} */ part) => captureThemes(user, `${name}-${size.width}-${part}`)
      const began = Date.now()
      try {
        await go({ user, url, phone: size.width < 768, who, picture })
        const errors = await user.errors()
        if (errors.length > 0) throw new Error(`the page says: ${errors.join('; ')}`)
        print(`✓ ${step}  ${((Date.now() - began) / 1_000).toFixed(1)}s`)
      } catch (error) {
        failed += 1
        const file = `${folder}/${name}-${size.width}-${step}-failed.png`
        print(`✗ ${step}: ${error instanceof Error ? error.message : String(error)}; ${file}`)
        await driver.picture().then(
          (png) => writeFileSync(file, png),
          () => undefined,
        )
      }
    }
  } finally {
    await driver.close()
  }
  return failed
}

run(async () => {
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !(name in kinds))
  if (unknown.length > 0) throw new Fault(`There is no way to drive ${unknown.join(' or ')}.`)
  /** @type {[name: string, program: string][]} */
  const there = []
  for (const [name, { find }] of Object.entries(kinds)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const program = find()
    if (program) there.push([name, program])
    else print(`${name} is not on this machine and was not tried. On Debian: ${howTo}`)
  }
  if (there.length < wanted.length) throw new Fault('A browser that was asked for by name is not there.')
  if (there.length === 0) return 0
  requireRedis()
  mkdirSync(folder, { recursive: true })
  return withOwnDemo('browsers', async (url) => {
    let failed = 0
    for (const [name, program] of there) for (const size of sizes) failed += await runSteps(name, program, size, url)
    const total = there.length * sizes.length * Object.keys(steps).length
    print(`\nPictures are in ${folder}\n${total - failed} passed, ${failed} failed`)
    return failed > 0 ? 1 : 0
  })
})
