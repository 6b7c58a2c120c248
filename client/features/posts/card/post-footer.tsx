import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import CircleUser from 'lucide-react/icons/circle-user'
import MessageSquare from 'lucide-react/icons/message-square'
import Send from 'lucide-react/icons/send'
import { useId, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import type { PostCardSlots } from './post-card-slots.ts'
import { PostReactions } from './post-reactions.tsx'
import { countsOf } from '../posts.rules.ts'

interface PostFooterProps extends Pick<
  PostCardSlots,
  'onDealerProfile' | 'onMessage' | 'renderComments' | 'renderToggles'
> {
  post: Post | PostDetail
  own: boolean
  startsOpen?: boolean
}

export function PostFooter({
  post,
  own,
  startsOpen = false,
  onDealerProfile,
  onMessage,
  renderComments,
  renderToggles,
}: PostFooterProps) {
  const [open, setOpen] = useState(startsOpen)
  const commentsId = useId()
  return (
    <div data-no-open className="cursor-auto">
      <div className="flex items-center gap-1 border-t border-line px-2 py-1">
        {renderComments ? (
          <CommentsButton
            count={countsOf(post).comments}
            controls={open ? commentsId : undefined}
            onPress={() => setOpen(!open)}
          />
        ) : null}
        {!own && onDealerProfile ? (
          <Button
            variant="ghost"
            icon={<CircleUser size={16} aria-hidden="true" />}
            onClick={() => onDealerProfile(post.dealer)}
            className="@max-xl/card:px-2"
          >
            <span className="@max-xl/card:sr-only">View Dealer Profile</span>
          </Button>
        ) : null}
        <span className="flex-1" />
        {own ? null : (
          <>
            <PostReactions postId={post.id} />
            {renderToggles?.(post)}
          </>
        )}
        {!own && onMessage ? (
          <IconButton label="Message" icon={<Send size={18} />} onClick={() => onMessage(post.dealer, post)} />
        ) : null}
      </div>
      {open ? renderComments?.(post, commentsId) : null}
    </div>
  )
}

interface CommentsButtonProps {
  count: number
  /** Id of the open comments; undefined while they are closed. */
  controls: string | undefined
  onPress: () => void
}

function CommentsButton({ count, controls, onPress }: CommentsButtonProps) {
  const Chevron = controls === undefined ? ChevronDown : ChevronUp
  return (
    <Button
      variant="ghost"
      aria-expanded={controls !== undefined}
      aria-controls={controls}
      icon={<MessageSquare size={16} aria-hidden="true" />}
      onClick={onPress}
      className="@max-xl/card:px-2"
    >
      <span className="@max-xl/card:sr-only">Comments</span> <span className="num">({count})</span>
      <Chevron size={16} aria-hidden="true" className="@max-xl/card:hidden" />
    </Button>
  )
}
