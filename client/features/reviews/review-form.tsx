import { useState } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { usePersisted } from '#client/lib/persisted.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Field } from '#client/ui/field.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { useAddReview } from './reviews.api.ts'
import { StarPicker } from './stars.tsx'

/** How a completed deal went, said once to the other side. */
export function ReviewForm({ dealId, about }: { dealId: string; about: string }) {
  const add = useAddReview(dealId, about)
  const kept = usePersisted(`review.${dealId}`, { stars: '0', content: '' })
  const { content } = kept.values
  const rating = Number(kept.values.stars)
  const [error, setError] = useState<string>()
  const submit = () => {
    if (rating === 0) return setError('Choose one to five stars')
    if (content.trim() === '') return setError('Write a few words about the deal')
    // Also where its page is left meanwhile.
    add.mutateAsync({ rating, content: content.trim() }).then(kept.forget, (failure) => setError(reasonOf(failure)))
  }
  return (
    <Card aria-labelledby="review-form">
      <CardHeader id="review-form" title={`Review ${about}`} />
      <CardBody>
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <StarPicker
            value={rating}
            onChange={(next) => {
              kept.set('stars', String(next))
              setError(undefined)
            }}
          />
          <Field label="Your review" error={error}>
            <Textarea
              value={content}
              maxLength={2_000}
              onChange={(event) => {
                kept.set('content', event.target.value)
                setError(undefined)
              }}
            />
          </Field>
          <div>
            <Button type="submit" variant="primary" busy={add.isPending}>
              {add.isPending ? 'Publishing...' : 'Publish review'}
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  )
}
