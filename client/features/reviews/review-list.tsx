import { useQuery } from '@tanstack/react-query'
import Star from 'lucide-react/icons/star'
import { useRef, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { DealerLink } from '#client/ui/dealer-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatRating, plural } from '#client/ui/format.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { useFormFocus } from '#client/ui/modal-focus.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import type { Review } from '#shared/schemas/reviews.ts'
import { isBlank } from '#shared/visible-text.ts'
import { reviewsQuery, useReply } from './reviews.api.ts'
import { Stars } from './stars.tsx'

export function ReviewList({ dealerId }: { dealerId: string }) {
  const page = useQuery(reviewsQuery(dealerId))
  if (page.error && !page.data) {
    return <QueryError query={page} failure="Reviews could not be loaded" />
  }
  if (!page.data) {
    return (
      <Loading label="Loading reviews">
        <SkeletonRows rows={3} />
      </Loading>
    )
  }
  const { reviews, rating, count, any } = page.data
  if (!any) return <EmptyState icon={<Star size={24} />} title="Reviews feature coming soon!" level={3} />
  if (reviews.length === 0) {
    return (
      <EmptyState
        icon={<Star size={24} />}
        title="No reviews yet"
        hint="Buyer and seller can review each other after a completed deal."
        level={3}
      />
    )
  }
  return (
    <>
      {rating === null ? null : (
        <p className="flex items-center gap-2 pb-2">
          <span className="num text-lg font-semibold">{formatRating(rating)}</span>
          <Stars rating={rating} />
          <span className="num text-ink-2">{plural(count, 'review')}</span>
        </p>
      )}
      <ul>
        {reviews.map((review) => (
          <ReviewRow key={review.id} review={review} />
        ))}
      </ul>
    </>
  )
}

function ReviewRow({ review }: { review: Review }) {
  const me = useCurrentDealer()
  const { author } = review
  return (
    <li className="border-t border-line py-3">
      <div className="flex items-center gap-3">
        <Avatar name={author.name} src={author.avatar} size={32} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">
            <DealerLink dealer={author} />
          </p>
          <p className="truncate text-xs text-ink-2">
            {author.dealershipName} · <RelativeTime iso={review.createdAt} />
          </p>
        </div>
        <Stars rating={review.rating} />
      </div>
      <p className="mt-2 text-pretty whitespace-pre-line">{review.content}</p>
      {review.reply ? (
        <div className="mt-2 rounded-md bg-sunken px-3 py-2">
          <p className="text-xs font-semibold text-ink-2">Reply</p>
          <p className="whitespace-pre-line text-ink-2">{review.reply}</p>
        </div>
      ) : null}
      {!review.reply && review.subjectId === me.id ? <Reply review={review} /> : null}
    </li>
  )
}

function Reply({ review }: { review: Review }) {
  const [open, setOpen] = useState(false)
  if (open) return <ReplyForm review={review} />
  return (
    <Button size="sm" className="mt-2" onClick={() => setOpen(true)}>
      Reply
    </Button>
  )
}

function ReplyForm({ review }: { review: Review }) {
  const reply = useReply(review.id)
  const { values, set, forget } = useKeptFormState(`reply.${review.id}`, { content: '' })
  const { content } = values
  const [error, setError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  useFormFocus(form)
  return (
    <form
      ref={form}
      noValidate
      className="mt-2 flex flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isBlank(content)) return setError('Write a few words')
        // Use the promise instead of mutation callbacks, because it also settles after the user has left the page.
        reply.mutateAsync(content.trim()).then(
          () => forget(),
          (failure) => setError(reasonOf(failure)),
        )
      }}
    >
      <Field label="Your reply" error={error} hint="One reply per review" className="w-full">
        <Textarea value={content} maxLength={2_000} onChange={(event) => set('content', event.target.value)} />
      </Field>
      <Button type="submit" busy={reply.isPending}>
        Send reply
      </Button>
    </form>
  )
}
