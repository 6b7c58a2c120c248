const storageKey = 'lanewire.wanted'

/** Keeps where a visitor wanted to go, for this tab, until sign-in has led there. */
export function rememberWantedPath(path: string): void {
  sessionStorage.setItem(storageKey, path)
}

/** The wanted path, once; `/` where there is none. */
export function takeWantedPath(): string {
  const path = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return path ?? '/'
}
