import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { Button, buttonClass } from '#client/ui/button.tsx'

const fileOf = (codes: readonly string[]): string =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(`Lanewire recovery codes. Each works once.\n\n${codes.join('\n')}\n`)}`

export function RecoveryCodesView({ codes }: { codes: readonly string[] }) {
  const [copied, setCopied] = useState(false)
  return (
    <div className="space-y-3">
      <p>
        Use one of these to sign in if you lose your app and passkeys. Each works once. Store them away from your phone.
        For security, we won't show them again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-y-1 rounded-md border border-line bg-sunken p-3 font-mono text-xs select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={copied ? <Check size={16} /> : <Copy size={16} />}
          onClick={() =>
            // If the browser denies access to the clipboard, the user can still select and copy the text.
            navigator.clipboard.writeText(codes.join('\n')).then(
              () => setCopied(true),
              () => undefined,
            )
          }
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <a href={fileOf(codes)} download="lanewire-recovery-codes.txt" className={buttonClass({})}>
          <Download size={16} aria-hidden="true" />
          Download
        </a>
      </div>
    </div>
  )
}
