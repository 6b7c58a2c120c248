import { show } from '#tests/support/screen.tsx'
import { fireEvent } from '@testing-library/react'
import { JSDOM } from 'jsdom'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { abortedWith, parseAddress } from '#client/lib/http/older-browsers.ts'
import { Textarea } from '#client/ui/textarea.tsx'

const script = readFileSync('client/public/floor.js', 'utf8')
const modern = { registerProperty: () => undefined, supports: () => true }

function pageIn(css: object | undefined, body: string): Document {
  const { window } = new JSDOM(`<!doctype html><html lang="en"><body>${body}</body></html>`, {
    runScripts: 'outside-only',
  })
  Object.assign(window, { CSS: css })
  window.eval(script)
  return window.document
}

const wordsOn = (page: Document) => page.querySelector('[role="alert"]')?.textContent ?? ''
const app = '<div id="root"></div>'

t.test('shows an unsupported browser a page without dependencies', async (t) => {
  const tooOld = [undefined, {}, { ...modern, registerProperty: undefined }, { ...modern, supports: () => false }]
  for (const css of tooOld) {
    const page = pageIn(css, app)
    t.match(wordsOn(page), /^This browser is too old for Lanewire. It needs Safari 16\.4, Firefox 128, Chrome 111/)
    t.equal(page.getElementById('root')?.style.display, 'none')
  }
  const site = pageIn({}, '<div id="site"><h1>Pricing</h1></div>')
  t.match(wordsOn(site), /too old/)
  t.match(site.body.textContent, 'Pricing', 'the public pages can be read below it')
})

t.test('accepts the oldest supported browser', async (t) => {
  const page = pageIn(modern, app)
  t.equal(wordsOn(page), '')
  t.equal(page.getElementById('root')?.style.display, '')
  for (const name of ['index', 'site'])
    t.match(readFileSync(`client/${name}.html`, 'utf8'), '<script src="/floor.js" defer></script>')
})

t.test('names the same minimum versions as the build targets', async (t) => {
  const { browserslist } = JSON.parse(readFileSync('package.json', 'utf8')) as { browserslist: string[] }
  const floor = readFileSync('docs/browsers.md', 'utf8')
  for (const line of browserslist) {
    const [, name = '', version = ''] = /^(\w+) >= ([\d.]+)$/.exec(line) ?? []
    const shown =
      { safari: 'Safari', ios_saf: 'Safari on iPhone and iPad' }[name] ?? name.replace(/^./, (a) => a.toUpperCase())
    t.match(floor, new RegExp(`\\| ${shown} +\\| ${version.replace('.', '\\.')} `), line)
  }
})

t.test('grows a text box by script if the browser cannot', async (t) => {
  let textHeight = 28
  Object.defineProperty(globalThis, 'CSS', { configurable: true, value: { supports: () => false } })
  Object.defineProperty(HTMLTextAreaElement.prototype, 'scrollHeight', { configurable: true, get: () => textHeight })
  t.teardown(() => {
    Reflect.deleteProperty(globalThis, 'CSS')
    Reflect.deleteProperty(HTMLTextAreaElement.prototype, 'scrollHeight')
  })
  const { getByLabelText, rerender } = show(t, <Textarea aria-label="Message" defaultValue="" />)
  const box = getByLabelText('Message')
  t.equal(box.style.height, '28px')
  textHeight = 88
  fireEvent.input(box, { target: { value: 'One\ntwo\nthree\nfour' } })
  t.equal(box.style.height, '88px', 'as it is typed')
  textHeight = 28
  rerender(<Textarea aria-label="Message" defaultValue="" />)
  t.equal(getByLabelText('Message').style.height, '28px', 'also when it renders again')
})

t.test('avoids features that older browsers lack', async (t) => {
  t.equal(parseAddress('https://example.com/a?b')?.pathname, '/a')
  t.equal(parseAddress('example.com'), undefined)
  const [one, other] = [new AbortController(), new AbortController()]
  const signal = abortedWith(one.signal, other.signal)
  t.notOk(signal.aborted)
  other.abort(new Error('enough'))
  t.match(signal.reason, { message: 'enough' })
  t.ok(abortedWith(one.signal, other.signal).aborted, 'at once if there is one already')
})
