import './dom.ts'
import { fireEvent, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'

/** Unmounts its content with a button, even behind a dialog, like the browser's Back. */
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
