import Bell from 'lucide-react/icons/bell'
import House from 'lucide-react/icons/house'
import MessageSquare from 'lucide-react/icons/message-square'
import Users from 'lucide-react/icons/users'
import { useState } from 'react'
import { useNavItems } from '#client/app/nav-items.tsx'
import { optionOf, usePhrase } from '#client/features/find/phrase/use-phrase.ts'
import { showOwnChat } from '#client/features/messaging/open-chat-with.ts'
import { SearchPalette as Palette } from '#client/features/search/search-palette.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'

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

/** Search over everything: pages, vehicles, chats. */
export function SearchPalette(props: SearchPaletteProps) {
  const [typed, setTyped] = useState('')
  const phrase = usePhrase(typed)
  const pages = [...everywhere, ...useNavItems()].map((item) => ({ ...item, kind: 'page' as const, detail: '' }))
  return (
    <Palette
      {...props}
      pages={pages}
      vehicles={phrase && { kind: 'vehicles', isMeant: phrase.isMeant, ...optionOf(phrase) }}
      onTyped={setTyped}
      onOpenChat={(href) => void openChat(href)}
    />
  )
}

async function openChat(href: string): Promise<void> {
  const chatId = new URLSearchParams(href.split('?')[1]).get('chat') ?? ''
  try {
    await showOwnChat(chatId)
  } catch (error) {
    toastFailure('The chat could not be opened', error)
  }
}
