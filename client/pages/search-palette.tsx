import Bell from 'lucide-react/icons/bell'
import House from 'lucide-react/icons/house'
import MessageSquare from 'lucide-react/icons/message-square'
import Users from 'lucide-react/icons/users'
import { type RefObject, useState } from 'react'
import { useNavItems } from '#client/app/nav-items.tsx'
import { optionOf, usePhrase } from '#client/features/find/phrase/use-phrase.ts'
import { showOwnChat } from '#client/features/messaging/open-chat-with.ts'
import { type PanelHandle, SearchPanel as Panel } from '#client/features/search/search-panel.tsx'
import { SearchPalette as Palette } from '#client/features/search/search-palette.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'

/** Pages that are listed first, in the order of the navigation. */
const placesInOrder = ['/', '/find', '/lane', '/wanted', '/deals', '/dealers', '/messages', '/notifications']

function placeOf({ href }: { href: string }): number {
  const place = placesInOrder.indexOf(href)
  return place === -1 ? placesInOrder.length : place
}

const everywhere = [
  { href: '/', label: 'Feed', icon: <House size={16} /> },
  { href: '/dealers', label: 'Network', icon: <Users size={16} /> },
  { href: '/messages', label: 'Messages', icon: <MessageSquare size={16} /> },
  { href: '/notifications', label: 'Notifications', icon: <Bell size={16} /> },
]

interface SearchPaletteProps {
  initial: string
  onShowKeys: () => void
  onClose: () => void
}

/** Returns the suggestions that do not come from the server: pages, and the typed text as a search in Find. */
function useSources(typed: string) {
  const phrase = usePhrase(typed)
  return {
    pages: [...everywhere, ...useNavItems()]
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map((item) => ({ ...item, kind: 'page' as const, detail: '' })),
    vehicles: phrase && { kind: 'vehicles' as const, isOnlyVehicles: phrase.isOnlyVehicles, ...optionOf(phrase) },
    onOpenChat: (href: string) => void openChat(href),
  }
}

export function SearchPalette(props: SearchPaletteProps) {
  const [typed, setTyped] = useState('')
  return <Palette {...props} {...useSources(typed)} onTyped={setTyped} />
}

interface SearchPanelProps {
  text: string
  feedFirst: boolean
  handle: RefObject<PanelHandle | null>
  onOptions: (ids: { list: string; option: string }) => void
  onShowKeys: () => void
  onClose: () => void
}

export function SearchPanel(props: SearchPanelProps) {
  return <Panel {...props} {...useSources(props.text.trim())} />
}

async function openChat(href: string): Promise<void> {
  const chatId = new URLSearchParams(href.split('?')[1]).get('chat') ?? ''
  try {
    await showOwnChat(chatId)
  } catch (error) {
    toastFailure('The chat could not be opened', error)
  }
}
