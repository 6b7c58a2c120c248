import SquarePen from 'lucide-react/icons/square-pen'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { useChats, useConversationCount } from '#client/features/messaging/use-chats.ts'
import { MessagingList } from '#client/features/messaging/dock/dock-list.tsx'
import { MessagingNew } from '#client/features/messaging/dock/dock-search.tsx'
import { MessagingPageChat } from '#client/features/messaging/thread/thread-page.tsx'
import { NoticeMenu } from '#client/features/messaging/messaging-notice-menu.tsx'
import { setListOpen } from '#client/features/messaging/messaging.store.ts'
import { messageClient } from '#client/features/messaging/sync/current-client.ts'
import { focusWindow } from '#client/features/messaging/dock/window-focus.ts'
import { Card } from '#client/ui/card.tsx'
import { plural } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'

export function MessagesPage() {
  const [, navigate] = useLocation()
  const [params, setParams] = useSearchParams()
  const [isWriting, setWriting] = useState(false)
  const chatId = params.get('chat') ?? undefined
  const count = useConversationCount()
  const isUnknown = useChats(({ chats, hasLoaded }) => hasLoaded && chats[chatId ?? ''] === undefined)
  const show = (id: string) => setParams({ chat: id })
  /** Replaces the history entry, so that Back does not reopen the chat. */
  const close = () => setParams({}, { replace: true })
  useEffect(() => {
    // A link may point to a chat that is not in the loaded list.
    if (chatId !== undefined && isUnknown) void messageClient().sync.loadChat(chatId)
  }, [chatId, isUnknown])

  const openInDock = (id: string) => {
    setListOpen(true)
    navigate('/')
    focusWindow(id)
  }
  return (
    <PageLayout title="Messages">
      <Card className="flex h-[calc(100dvh-3.5rem-4rem)] overflow-hidden max-md:h-[calc(100dvh-7rem-env(safe-area-inset-bottom))]">
        <div className="flex w-80 flex-none flex-col border-r border-line max-md:w-full max-md:border-r-0">
          <header className="flex h-14 flex-none items-center gap-2 border-b border-line pr-2 pl-3">
            <div className="flex-1">
              <h1 className="text-md leading-5 font-semibold">Messages</h1>
              <p className="num min-h-4 text-xs text-ink-2">
                {count === undefined ? null : plural(count, 'active conversation')}
              </p>
            </div>
            <NoticeMenu />
            <IconButton label="New message" icon={<SquarePen size={18} />} onClick={() => setWriting(true)} />
          </header>
          <MessagingList
            isDetailed
            onOpen={show}
            openIds={chatId === undefined ? [] : [chatId]}
            searchLabel="Search conversations"
            emptyTitle="No conversations found"
          />
        </div>
        <MessagingPageChat chatId={chatId} onBack={close} onFullChat={openInDock} />
      </Card>
      <MessagingNew open={isWriting} onOpenChange={setWriting} onOpen={show} />
    </PageLayout>
  )
}
