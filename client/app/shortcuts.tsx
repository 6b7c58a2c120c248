import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { isPressed, isTyped, keys } from '#client/lib/keys/shortcuts.ts'
import { isRendered } from '#client/lib/http/older-browsers.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'

const opened = defineSlice<{ what: 'search' | 'keys' | undefined }>('shortcuts', () => ({ what: undefined }))

const open = (what: 'search' | 'keys' | undefined): void => opened.set((state) => void (state.what = what))

const findField = () => [...document.querySelectorAll<HTMLInputElement>('[data-search-field]')].find(isRendered)

/** Focuses the search field of the top bar. If there is none, opens the search as a dialog. */
export function openSearch(): void {
  const field = document.querySelector('[role="dialog"]:not([data-beside])') ? undefined : findField()
  if (!field) return open('search')
  field.focus()
  field.select()
}

export const openKeys = (): void => open('keys')

const SearchPalette = lazyPart(async () => (await import('#client/pages/search-palette.tsx')).SearchPalette)
const KeysDialog = lazyPart(async () => (await import('./keys-dialog.tsx')).KeysDialog)

const close = () => open(undefined)

export function Shortcuts() {
  const what = opened.use((state) => state.what)
  const [path] = useLocation()
  useEffect(close, [path])
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || isTyped(event)) return
      if (isPressed(event, keys.search)) openSearch()
      else if (isPressed(event, keys.help)) open('keys')
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  if (what === 'search') return <SearchGate />
  if (what === undefined) return null
  return (
    <Suspense>
      <KeysDialog onClose={close} />
    </Suspense>
  )
}

/** Keeps the letters that the dealer types while the search palette loads. */
function SearchGate() {
  const [early, setEarly] = useState('')
  return (
    <Suspense fallback={<EarlyTyping onType={(letter) => setEarly((before) => before + letter)} />}>
      <SearchPalette initial={early} onShowKeys={() => open('keys')} onClose={close} />
    </Suspense>
  )
}

function EarlyTyping({ onType }: { onType: (letter: string) => void }) {
  const type = useEffectEvent(onType)
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (isPressed(event, keys.close)) close()
      else if (isLetter) type(event.key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [])
  return null
}
