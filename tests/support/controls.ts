import './dom.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { Test } from 'tap'
import { becomes } from './screen.tsx'

type Name = string | RegExp

/** Returns the button if it is the only one of this name, enabled and idle. */
function findIdle(name: Name): HTMLElement | undefined {
  const [button, ...others] = screen.queryAllByRole('button', { name })
  return others.length === 0 && button?.matches(':not(:disabled, [aria-disabled="true"])') ? button : undefined
}

/** Clicks a button once it is present, enabled and idle, because a busy button ignores clicks. */
export async function press(name: Name): Promise<void> {
  let button = findIdle(name)
  // Click after the wait, not in it, because the effects of a button that has just appeared have not run yet.
  while (button === undefined) {
    await waitFor(() => {
      screen.getByRole('button', { name })
      if (findIdle(name) === undefined) throw new Error(`the button ${name} is disabled or busy`)
    })
    button = findIdle(name)
  }
  const pressed = button
  // Runs at once, and then waits for the effects of the click.
  await waitFor(() => void fireEvent.click(pressed))
}

export const fill = (label: Name, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } })

export const textIn = (label: Name): string => screen.getByLabelText<HTMLInputElement>(label).value

export async function choose(label: Name, option: Name): Promise<void> {
  fireEvent.keyDown(screen.getByRole('combobox', { name: label }), { key: 'ArrowDown' })
  fireEvent.keyDown(await screen.findByRole('option', { name: option }), { key: 'Enter' })
}

export async function chooseAct(menu: Name, act: Name): Promise<void> {
  fireEvent.keyDown(await screen.findByRole('button', { name: menu }), { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: act }))
}

export function refusalOf(label: Name): string | undefined {
  const field = screen.getByLabelText(label)
  if (field.getAttribute('aria-invalid') !== 'true') return undefined
  return document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
}

export const says = async (words: Name): Promise<void> => void (await screen.findByText(words))

export const gone = async (t: Test, words: Name): Promise<void> =>
  becomes(t, () => screen.queryByText(words) === null, true)

export const dialogOpen = (): boolean => screen.queryByRole('dialog') !== null

interface Listing {
  loading: Name
  failure: Name
  empty: Name
  /** Makes the pending request fail. Later requests succeed. */
  refuse: () => void
}

/** Asserts that a list shows its loading, error and empty states, and that Retry works. */
export async function showsItsStates(t: Test, { loading, failure, empty, refuse }: Listing): Promise<void> {
  await says(loading)
  t.equal(screen.queryByText(empty), null, 'a list that has not loaded is not shown as empty')
  refuse()
  const alert = await screen.findByRole('alert')
  t.match(alert.textContent, failure)
  t.match(alert.textContent, 'The database is away')
  t.equal(screen.queryByText(empty), null, 'a list that failed to load is not shown as empty')
  await press('Retry')
  await says(empty)
  await waitFor(() => {
    if (screen.queryByRole('alert') !== null) throw new Error('still refused')
  })
}
