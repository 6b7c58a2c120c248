import { useState } from 'react'

const storageKey = 'lanewire.oneTapBids'

/** Whether a press places the bid at once; kept on this device. Off: a second press confirms. */
export function useOneTapBids(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => localStorage.getItem(storageKey) === 'on')
  const change = (next: boolean) => {
    localStorage.setItem(storageKey, next ? 'on' : 'off')
    setOn(next)
  }
  return [on, change]
}
