import { useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { openDemo } from './site.api.ts'

export function OpenDemo() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const open = () => {
    setBusy(true)
    setFailure('')
    openDemo().then(
      // The app is a separate document. The button stays busy until the app has replaced this document.
      () => window.location.assign('/'),
      (error: unknown) => {
        setBusy(false)
        setFailure(reasonOf(error))
      },
    )
  }
  return (
    <>
      <Button variant="primary" size="lg" busy={busy} onClick={open}>
        {busy ? 'Opening...' : 'Open the live demo'}
      </Button>
      {failure ? (
        <p role="alert" className="mt-2 text-danger-ink">
          {failure}
        </p>
      ) : null}
    </>
  )
}
