import './dom.ts'
import { fireEvent, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'

/** Renders a button that unmounts the content, even behind a dialog, as the browser's Back button does. */
export function LeftPage({ children }: { children: ReactNode }) {
  const [isThere, setThere] = useState(true)
  if (!isThere) return null
  return (
    <>
      {children}
      <button type="button" onClick={() => setThere(false)}>
        Leave
      </button>
    </>
  )
}

export const leavePage = () => void fireEvent.click(screen.getByRole('button', { name: 'Leave', hidden: true }))
