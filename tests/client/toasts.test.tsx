import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent } from '@testing-library/react'
import t from 'tap'
import { holdToast, releaseToast, toast } from '#client/ui/toast-store.ts'

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

t.test('a toast that is held comes back after another one, until it is let go', async (t) => {
  const { findByText, findByRole, queryByText } = show(t, null)
  const links = [
    { label: 'Bid $26,500', path: '/post/a?auction=a' },
    { label: 'Open', path: '/post/a' },
  ]
  const letGo = t.captureFn(() => undefined)
  const hold = () => holdToast('outbid', { title: 'You have been outbid', variant: 'destructive', links }, letGo)
  act(hold)
  t.equal((await findByRole('link', { name: 'Bid $26,500' })).getAttribute('href'), '/post/a?auction=a')
  t.ok(await findByRole('link', { name: 'Open' }))
  act(() => toast({ title: 'Post liked!' }))
  t.ok(await findByText('Post liked!'))
  fireEvent.click(await findByRole('button', { name: 'Dismiss' }))
  t.ok(await findByText('You have been outbid'))
  act(() => releaseToast('outbid'))
  await becomes(t, () => queryByText('You have been outbid'), null)
  act(() => toast({ title: 'Post liked!' }))
  fireEvent.click(await findByRole('button', { name: 'Dismiss' }))
  await becomes(t, () => queryByText('You have been outbid'), null)
  t.equal(letGo.calls.length, 0)
  act(hold)
  fireEvent.click(await findByRole('button', { name: 'Dismiss' }))
  await becomes(t, () => [queryByText('You have been outbid'), letGo.calls.length], [null, 1])
})
