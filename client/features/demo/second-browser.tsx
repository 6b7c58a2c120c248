import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'

interface SecondBrowserProps {
  title: string
  /** Email address of the demo account that fills the second browser's sign-in form. */
  email: string
  hint: string
  onClose: () => void
}

/** Shows the URL of a sign-in form filled with another demo account. The visitor opens it in a private window. */
export function SecondBrowser({ title, email, hint, onClose }: SecondBrowserProps) {
  const [copied, setCopied] = useState(false)
  const address = `${window.location.origin}/login?as=${email}`
  return (
    <Dialog open compact onOpenChange={onClose} title={title}>
      <div className="space-y-3">
        <p>
          A private window signs in separately. Open one (Ctrl+Shift+N, in Firefox Ctrl+Shift+P), paste this address and
          press Login.
        </p>
        <p className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs break-all select-all">
          {address}
        </p>
        <Button
          icon={copied ? <Check size={16} /> : <Copy size={16} />}
          onClick={() =>
            navigator.clipboard.writeText(address).then(
              () => setCopied(true),
              () => undefined,
            )
          }
        >
          {copied ? 'Copied' : 'Copy address'}
        </Button>
        <p className="text-ink-2">{hint}</p>
      </div>
    </Dialog>
  )
}
