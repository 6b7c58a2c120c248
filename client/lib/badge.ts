/** Sets the number on the installed app's icon; 0 removes it. Does nothing if the browser lacks the Badging API. */
export function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()
  // The promise rejects if the app is not installed.
  shown.catch(() => undefined)
}
