import { useQuery } from '@tanstack/react-query'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import Heart from 'lucide-react/icons/heart'
import { type ReactNode } from 'react'
import { IconButton } from '#client/ui/icon-button.tsx'
import { toast } from '#client/ui/toast-store.ts'
import type { ReactionKind } from '#shared/schemas/posts.ts'
import { reactionsQuery, useSetReaction } from '../posts.api.ts'

interface ReactionTexts {
  icon: ReactNode
  offLabel: string
  onLabel: string
  added: string
  removed: string
}

const words: Record<ReactionKind, ReactionTexts> = {
  like: {
    icon: <Heart size={18} />,
    offLabel: 'Like',
    onLabel: 'Remove like',
    added: 'Post liked!',
    removed: 'Like removed',
  },
  info: {
    icon: <CircleQuestionMark size={18} />,
    offLabel: 'Need more info',
    onLabel: 'Remove question',
    added: 'Question added!',
    removed: 'Question removed',
  },
}

export function PostReactions({ postId }: { postId: string }) {
  return (
    <>
      <Reaction postId={postId} kind="like" />
      <Reaction postId={postId} kind="info" />
    </>
  )
}

function Reaction({ postId, kind }: { postId: string; kind: ReactionKind }) {
  const own = useQuery(reactionsQuery())
  const set = useSetReaction(postId, kind)
  const on = own.data?.[kind].includes(postId) ?? false
  const { icon, offLabel, onLabel, added, removed } = words[kind]
  const toggle = () => {
    toast({ title: on ? removed : added })
    set.mutate(!on)
  }
  return (
    <IconButton
      label={on ? onLabel : offLabel}
      icon={icon}
      aria-pressed={on}
      // Until the dealer's reactions have loaded, the button may show the wrong state, and a press could do the opposite.
      disabled={own.isPending}
      onClick={toggle}
    />
  )
}
