import { useMutation } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Proof } from '#shared/schemas/auth.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { type AskedProof, useAskedProof } from '#client/lib/session/identity-proof.ts'

const ProofDialog = lazyPart(async () => (await import('./proof-dialog.tsx')).ProofDialog)

/** Opens a dialog when the server asks for proof of identity. Mounted once, beside every page. */
export function ProofWatch() {
  const asked = useAskedProof()
  return asked ? (
    <Suspense>
      <AskedProofDialog asked={asked} />
    </Suspense>
  ) : null
}

function AskedProofDialog({ asked }: { asked: AskedProof }) {
  const answer = useMutation({ mutationFn: (proof: Proof) => asked.answer(proof) })
  return (
    <ProofDialog
      title="Confirm it's you"
      description="For security, confirm your identity before you change access to an account."
      confirmLabel="Confirm"
      busy={answer.isPending}
      error={answer.error}
      onConfirm={(proof) => answer.mutate(proof)}
      onClose={asked.cancel}
    />
  )
}
