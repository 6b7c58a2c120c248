import { useEffect } from 'react'

/** `Dealer Network · Lanewire` in the tab and the history. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Lanewire`
  }, [title])
}
