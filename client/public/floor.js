// Warns in browsers older than those in docs/browsers.md, so it must run in browsers of any age.
;(function () {
  var css = window.CSS
  var knows = css && css.registerProperty && css.supports && css.supports('color', 'color-mix(in srgb, red, blue)')
  if (knows && 'toSorted' in Array.prototype) return
  function say() {
    var app = document.getElementById('root')
    // The app would fail halfway; public pages stay readable.
    if (app) app.style.display = 'none'
    var words = document.createElement('p')
    words.setAttribute('role', 'alert')
    words.style.cssText = 'margin: 0; padding: 16px; background: #fff; color: #121921; font: 16px/24px sans-serif'
    words.appendChild(
      document.createTextNode(
        'This browser is too old for Lanewire. It needs Safari 16.4, Firefox 128, Chrome 111, Edge 111, or a newer one: ' +
          'please update it, or open Lanewire in another browser.',
      ),
    )
    document.body.insertBefore(words, document.body.firstChild)
  }
  if (document.body) say()
  else document.addEventListener('DOMContentLoaded', say)
})()
