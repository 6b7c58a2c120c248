import Send from 'lucide-react/icons/send'
import { useEffect, useRef, useState } from 'react'
import { useView } from '#client/lib/live/room-views.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { useOnScreen } from '#client/ui/on-screen.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'
import { ChatPerson } from '../dock/dock-window.tsx'
import type { ChatHead } from '../messaging.api.ts'
import { startChat } from '../open-chat-with.ts'
import { messageClient } from '../sync/current-client.ts'
import { useChats, useLoadedChats } from '../use-chats.ts'
import { MessagingComposer, MessagingUploads } from './composer.tsx'
import { MessagingLog } from './thread-log.tsx'

interface ConversationProps {
  dealer: { id: string; name: string }
  /** Null if the chat does not exist on the server yet. */
  chatId: string | null
  closed?: string | undefined
}

export function Conversation({ dealer, chatId, closed }: ConversationProps) {
  const chat = useChats(({ chats }) => Object.values(chats).find(({ other }) => other.id === dealer.id))
  const hasLoaded = useChats((list) => list.hasLoaded)
  const list = useLoadedChats()
  const [triedId, setTriedId] = useState<string>()
  const [startedWith, setStartedWith] = useState<string>()
  const isUnknown = hasLoaded && chat === undefined && chatId !== null && chatId !== triedId
  useEffect(() => {
    if (!isUnknown) return
    // The loaded list contains the most recent chats only.
    void messageClient()
      .sync.loadChat(chatId)
      .finally(() => setTriedId(chatId))
  }, [isUnknown, chatId])
  const isWaiting = !hasLoaded || isUnknown
  return (
    <Card
      aria-label={`Conversation with ${dealer.name}`}
      data-conversation={dealer.id}
      className="flex size-full flex-col overflow-hidden"
    >
      {chat ? (
        <OpenConversation
          key={chat.id}
          chat={chat}
          closed={closed}
          startedWith={startedWith}
          onStart={setStartedWith}
        />
      ) : null}
      {!chat && isWaiting ? (
        <div className="flex-1 p-4">
          {list.error ? (
            <QueryError query={list} failure="The conversation could not be loaded" />
          ) : (
            <Loading label="Loading the conversation">
              <SkeletonRows />
            </Loading>
          )}
        </div>
      ) : null}
      {!chat && !isWaiting ? <NoConversation dealer={dealer} closed={closed} onStart={setStartedWith} /> : null}
    </Card>
  )
}

interface Starting {
  /** Stores the id of the dealer with whom a chat is started here, so that its message box gets the focus once. */
  onStart: (dealerId: string | undefined) => void
}

interface OpenConversationProps extends Starting {
  chat: ChatHead
  closed: string | undefined
  startedWith: string | undefined
}

function OpenConversation({ chat, closed, startedWith, onStart }: OpenConversationProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const dealerId = chat.other.id
  useEffect(() => {
    if (startedWith !== dealerId) return
    onStart(undefined)
    focusConversation(dealerId)
  }, [startedWith, dealerId, onStart])
  const isOnScreen = useOnScreen(end)
  useView('chat', chat.id)
  return (
    <>
      <header className="flex h-12 flex-none items-center gap-2 border-b border-line pr-2 pl-3">
        <ChatPerson chat={chat} withPageLink />
      </header>
      <MessagingLog chat={chat} isOnScreen={isOnScreen} />
      <div ref={end}>
        <MessagingUploads chatId={chat.id} />
        {closed === undefined ? <MessagingComposer chat={chat} box={box} /> : <Closed why={closed} />}
      </div>
    </>
  )
}

const Closed = ({ why }: { why: string }) => <p className="border-t border-line p-3 text-ink-2">{why}</p>

function NoConversation({ dealer, closed, onStart }: Pick<ConversationProps, 'dealer' | 'closed'> & Starting) {
  const [isOpening, setOpening] = useState(false)
  const start = async () => {
    setOpening(true)
    onStart(dealer.id)
    try {
      await startChat(dealer.id)
    } catch (error) {
      onStart(undefined)
      toastFailure('The chat could not be opened', error)
    } finally {
      setOpening(false)
    }
  }
  return (
    <>
      <header className="flex h-12 flex-none items-center border-b border-line px-4">
        <h2 className="text-sm font-semibold">Conversation</h2>
      </header>
      <div className="flex flex-1 flex-col items-center justify-center gap-3 p-4 text-center">
        <p className="text-ink-2">{closed ?? `You and ${dealer.name} have not messaged each other yet.`}</p>
        {closed === undefined ? (
          <Button icon={<Send size={16} aria-hidden="true" />} busy={isOpening} onClick={() => void start()}>
            Message {dealer.name}
          </Button>
        ) : null}
      </div>
    </>
  )
}

/** Scrolls to the conversation on this page and focuses its message box, or else the button that opens the box. */
export function focusConversation(dealerId: string): void {
  const place = document.querySelector(`[data-conversation="${dealerId}"]`)
  const box = place?.querySelector<HTMLElement>('textarea') ?? place?.querySelector<HTMLElement>('button')
  place?.scrollIntoView({ block: 'nearest' })
  box?.focus({ preventScroll: true })
}
