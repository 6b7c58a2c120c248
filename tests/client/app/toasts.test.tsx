import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent } from '@testing-library/react'
import { useState } from 'react'
import t from 'tap'
import { holdToast, releaseToast, toast } from '#client/ui/toast-store.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuItem } from '#client/ui/menu.tsx'
import { useLoaded } from '#client/ui/use-loaded-code.ts'

t.test('shows only the newest toast', async (t) => {
  const { findByText, queryByText } = show(t, null)
  act(() => toast({ title: 'Post liked!' }))
  t.ok(await findByText('Post liked!'))
  act(() => toast({ title: 'Like removed', description: 'It can be liked again' }))
  t.ok(await findByText('It can be liked again'))
  t.equal(queryByText('Post liked!'), null)
})

t.test('removes a dismissed toast', async (t) => {
  const { findByRole, queryByText } = show(t, null)
  act(() => toast({ title: 'Not saved', variant: 'destructive' }))
  fireEvent.click(await findByRole('button', { name: 'Dismiss' }))
  await becomes(t, () => queryByText('Not saved'), null)
})

t.test('brings a held toast back after another one', async (t) => {
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

t.test('shows an error for code that fails to load and loads it on the next click', async (t) => {
  let tries = 0
  const load = async () => {
    tries += 1
    if (tries === 1) throw new TypeError('Failed to fetch dynamically imported module: /assets/menus-1a2b.js')
    return { words: 'Edit post' }
  }
  function Later() {
    const [wanted, setWanted] = useState(false)
    const part = useLoaded(load, wanted, () => setWanted(false))
    return (
      <button type="button" aria-expanded={wanted} onClick={() => setWanted(true)}>
        {part?.words ?? 'Manage'}
      </button>
    )
  }
  const { findByRole, findByText, queryByText } = show(t, <Later />)
  fireEvent.click(await findByRole('button', { name: 'Manage' }))
  t.ok(await findByText('This could not be opened'))
  t.equal(queryByText(/menus-1a2b/), null)
  fireEvent.click(await findByRole('button', { name: 'Manage', expanded: false }))
  t.ok(await findByRole('button', { name: 'Edit post' }))
})

t.test('starts a menu opened by keyboard at its first item and restores the focus', async (t) => {
  const trigger = <IconButton label="Manage post" icon={null} />
  const items = ['Edit post', 'Delete post'].map((words) => (
    <MenuItem key={words} onSelect={() => undefined}>
      {words}
    </MenuItem>
  ))
  const { findByRole, getByRole, queryByRole } = show(t, <Menu trigger={trigger}>{items}</Menu>)
  for (const opening of ['first', 'second']) {
    fireEvent.keyDown(getByRole('button', { name: 'Manage post', expanded: false }), { key: 'Enter' })
    const first = await findByRole('menuitem', { name: 'Edit post' })
    await becomes(t, () => document.activeElement === first, true)
    fireEvent.keyDown(first, { key: 'Escape' })
    await becomes(t, () => queryByRole('menu'), null)
    const button = getByRole('button', { name: 'Manage post' })
    await becomes(t, () => document.activeElement === button, true)
    t.pass(opening)
  }
})

t.test("shows an icon's tooltip on hover until it is pressed", async (t) => {
  const { getByRole, findByRole, queryByRole } = show(t, <IconButton label="Report post" icon={null} />)
  const report = getByRole('button', { name: 'Report post' })
  fireEvent.pointerOver(report, { pointerType: 'touch' })
  fireEvent.pointerOver(report)
  t.equal(queryByRole('tooltip'), null, 'not immediately')
  t.equal((await findByRole('tooltip')).textContent, 'Report post')
  fireEvent.pointerDown(report)
  t.equal(queryByRole('tooltip'), null)
  fireEvent.pointerOver(report)
  t.equal(queryByRole('tooltip'), null, 'the tooltip stays closed after a click')
  fireEvent.pointerOver(document.body)
  fireEvent.pointerOver(report)
  t.ok(await findByRole('tooltip'), 'until the pointer was elsewhere')
  fireEvent.keyDown(report, { key: 'Escape' })
  t.equal(queryByRole('tooltip'), null)
})
