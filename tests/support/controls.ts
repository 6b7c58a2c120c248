import './dom.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { Test } from 'tap'
import { becomes } from './screen.tsx'

type Name = string | RegExp

// What somebody does with keyboard and pointer, and what they then read; of all that is on the screen.

export const press = async (name: Name): Promise<void> =>
  void fireEvent.click(await screen.findByRole('button', { name }))

export const fill = (label: Name, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } })

export const textIn = (label: Name): string => screen.getByLabelText<HTMLInputElement>(label).value

/** One of a Select's options. */
export async function choose(label: Name, option: Name): Promise<void> {
  fireEvent.keyDown(screen.getByRole('combobox', { name: label }), { key: 'ArrowDown' })
  fireEvent.keyDown(await screen.findByRole('option', { name: option }), { key: 'Enter' })
}

/** An act from the menu behind a button. */
export async function chooseAct(menu: Name, act: Name): Promise<void> {
  fireEvent.keyDown(await screen.findByRole('button', { name: menu }), { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: act }))
}

/** What the field is marked wrong with. */
export function refusalOf(label: Name): string | undefined {
  const field = screen.getByLabelText(label)
  if (field.getAttribute('aria-invalid') !== 'true') return undefined
  return document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
}

/** Waits for the words, wherever they are. */
export const says = async (words: Name): Promise<void> => void (await screen.findByText(words))

export const gone = async (t: Test, words: Name): Promise<void> =>
  becomes(t, () => screen.queryByText(words) === null, true)

/** A dialog that is open, or that none is. */
export const dialogOpen = (): boolean => screen.queryByRole('dialog') !== null

interface Listing {
  /** Said while it loads, and above the reason for which it could not be. */
  loading: Name
  failure: Name
  /** What stands in the place of an empty list. */
  empty: Name
  /** Lets the server answer what waits: with a refusal, then as the network does. */
  refuse: () => void
}

/** That a list says that it loads, why it could not be loaded, loads at a press, and says that it is empty. */
export async function showsItsStates(t: Test, { loading, failure, empty, refuse }: Listing): Promise<void> {
  await says(loading)
  t.equal(screen.queryByText(empty), null, 'what has not been loaded is not called empty')
  refuse()
  const alert = await screen.findByRole('alert')
  t.match(alert.textContent, failure)
  t.match(alert.textContent, 'The database is away')
  t.equal(screen.queryByText(empty), null, 'nor what could not be')
  await press('Retry')
  await says(empty)
  await waitFor(() => {
    if (screen.queryByRole('alert') !== null) throw new Error('still refused')
  })
}
