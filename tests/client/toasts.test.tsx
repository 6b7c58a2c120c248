import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent } from '@testing-library/react'
import t from 'tap'
import { toast } from '#client/ui/toast-store.ts'

t.test('one toast shows at a time, the newest', async (t) => {
  const { findByText, queryByText } = show(t, null)
  act(() => toast({ title: 'Post liked!' }))
  t.ok(await findByText('Post liked!'))
  act(() => toast({ title: 'Like removed', description: 'It can be liked again' }))
  t.ok(await findByText('It can be liked again'))
  t.equal(queryByText('Post liked!'), null)
})

t.test('a toast leaves when it is dismissed', async (t) => {
  const { findByRole, queryByText } = show(t, null)
  act(() => toast({ title: 'Not saved', variant: 'destructive' }))
  fireEvent.click(await findByRole('button', { name: 'Dismiss' }))
  await becomes(t, () => queryByText('Not saved'), null)
})
