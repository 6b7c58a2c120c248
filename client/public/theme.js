// Runs before the first paint, as a file because the content security policy forbids inline scripts, and follows the
// system from then on. In the app client/app/theme.ts owns the choice; the storage key must match.
;(function () {
  var system = matchMedia('(prefers-color-scheme: dark)')
  function apply() {
    var choice = null
    try {
      choice = localStorage.getItem('lanewire.theme')
    } catch (error) {
      // Storage can be forbidden; the system's choice is then the only one.
    }
    var dark = choice === 'dark' || (choice !== 'light' && system.matches)
    document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light')
  }
  apply()
  system.addEventListener('change', apply)
})()
