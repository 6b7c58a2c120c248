import { isBlank } from '#shared/visible-text.ts'
import { type FormEvent, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Field } from '#client/ui/field.tsx'
import { type FieldErrors, useRefusal } from '#client/ui/form-state.ts'
import { Textarea } from '#client/ui/textarea.tsx'
import { useAddReview } from './reviews.api.ts'
import { StarPicker } from './stars.tsx'

export function ReviewForm({ dealId, about }: { dealId: string; about: string }) {
  const add = useAddReview(dealId, about)
  const kept = useKeptFormState(`review.${dealId}`, { stars: '0', content: '' })
  const { content } = kept.values
  const rating = Number(kept.values.stars)
  const [errors, setErrors] = useState<FieldErrors<typeof kept.values>>({})
  const focusWrong = useRefusal()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = {
      ...(rating === 0 && { stars: 'Choose one to five stars' }),
      ...(isBlank(content) && { content: 'Write a few words about the deal' }),
    }
    setErrors(found)
    if (Object.keys(found).length > 0) return focusWrong(event.currentTarget)
    // Use the promise instead of mutation callbacks, because it also settles after the user has left the page.
    add.mutateAsync({ rating, content: content.trim() }).then(
      () => kept.forget(),
      (failure) => setErrors({ content: reasonOf(failure) }),
    )
  }
  const set = (field: keyof typeof kept.values, value: string) => {
    kept.set(field, value)
    setErrors(({ [field]: _corrected, ...others }) => others)
  }
  return (
    <Card aria-labelledby="review-form">
      <CardHeader id="review-form" title={`Review ${about}`} />
      <CardBody>
        <form noValidate className="flex flex-col gap-3" onSubmit={submit}>
          <StarPicker value={rating} error={errors.stars} onChange={(next) => set('stars', String(next))} />
          <Field label="Your review" error={errors.content}>
            <Textarea value={content} maxLength={2_000} onChange={(event) => set('content', event.target.value)} />
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
