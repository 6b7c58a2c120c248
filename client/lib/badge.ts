/** Sets the number on the installed app's icon; 0 removes it. Does nothing in browsers without badges. */
export function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()
  // Rejects if the app is not installed.
  shown.catch(() => undefined)
}
