// Runs before the first paint, as a file because the content security policy forbids inline scripts. The storage key
// must match client/app/theme.ts.
;(function () {
  var system = matchMedia('(prefers-color-scheme: dark)')
  function apply() {
    var choice = null
    try {
      choice = localStorage.getItem('lanewire.theme')
    } catch (error) {
      // Storage may be forbidden: use the system's theme.
    }
    var dark = choice === 'dark' || (choice !== 'light' && system.matches)
    document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light')
  }
  apply()
  system.addEventListener('change', apply)
})()
