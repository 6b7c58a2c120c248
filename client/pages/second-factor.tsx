import { useQuery } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import Smartphone from 'lucide-react/icons/smartphone'
import { useState } from 'react'
import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { securityQuery, useLogout } from '#client/features/auth/auth.api.ts'
import { AuthenticatorDialog, PasskeyDialog } from '#client/features/auth/security/second-factor-dialogs.tsx'
import { Button } from '#client/ui/button.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { QueryError } from '#client/ui/query-state.tsx'

/** Replaces every page until a staff member has set up the required second factor. */
export function SecondFactorPage({ onDone }: { onDone: () => void }) {
  useDocumentTitle('Second factor')
  const security = useQuery(securityQuery())
  const logOut = useLogout()
  const [open, setOpen] = useState<'app' | 'passkey'>()
  const close = () => setOpen(undefined)
  return (
    <AuthFrame>
      <div className="m-auto w-92 max-w-full space-y-4 py-8">
        <div>
          <h1 className="text-lg font-semibold tracking-lg">Set up a second factor</h1>
          <p className="text-ink-2">
            This network requires admins and operations staff to use a second factor. Choose one; you can add more in
            your settings.
          </p>
        </div>
        <QueryError query={security} failure="Your security settings could not be loaded" />
        <Button
          variant="primary"
          size="lg"
          block
          icon={<Smartphone size={16} aria-hidden="true" />}
          onClick={() => setOpen('app')}
        >
          Authenticator app
        </Button>
        <Button size="lg" block icon={<KeyRound size={16} aria-hidden="true" />} onClick={() => setOpen('passkey')}>
          Passkey
        </Button>
        <Button variant="ghost" size="lg" block onClick={logOut}>
          Log out
        </Button>
      </div>
      {open === 'app' ? <AuthenticatorDialog onClose={close} onDone={onDone} /> : null}
      {open === 'passkey' ? <PasskeyDialog onClose={close} onDone={onDone} /> : null}
    </AuthFrame>
  )
}
