// Runs before the first paint, as a file because the content security policy forbids inline scripts.
// client/app/theme.ts owns the choice from then on; the storage key must match.
;(function () {
  var choice = null
  try {
    choice = localStorage.getItem('lanewire.theme')
  } catch (error) {
    // Storage can be forbidden; the system's choice is then the only one.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light')
})()
