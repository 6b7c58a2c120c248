import { type FormEvent, useState } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { commentMax } from '#shared/limits.ts'
import { useAddComment } from './posts.api.ts'

/** Sent only with text; the draft stays when sending fails (spec A §4, §5). */
export function CommentForm({ postId }: { postId: string }) {
  const me = useCurrentDealer()
  const [text, setText] = useState('')
  const add = useAddComment(postId)
  const content = text.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!content || add.isPending) return
    add.mutate(
      { dealerId: me.id, content },
      {
        onSuccess: () => {
          setText('')
          toast({ title: 'Comment added successfully' })
        },
        onError: (error) =>
          toast({ title: 'Comment not posted', description: reasonOf(error), variant: 'destructive' }),
      },
    )
  }
  return (
    <form onSubmit={submit} className="flex items-start gap-3">
      <Avatar name={me.name} src={me.avatar} size={32} />
      <Field label="Add a comment" hideLabel className="flex-1">
        <Input
          value={text}
          maxLength={commentMax}
          placeholder="Add a comment"
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" disabled={!content} busy={add.isPending}>
        {add.isPending ? 'POSTING...' : 'POST'}
      </Button>
    </form>
  )
}
