import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Proof } from '#shared/schemas/auth.ts'
import { type AskedProof, useAskedProof } from '#client/lib/proof.ts'

const ProofDialog = lazy(async () => ({ default: (await import('./proof-dialog.tsx')).ProofDialog }))

/** Beside every page: wherever the server asks for a proof, one dialog asks the dealer. */
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
      title="Confirm that it is you"
      description="This change decides who gets in or who has power here, so an open session is not enough."
      confirmLabel="Confirm"
      busy={answer.isPending}
      error={answer.error}
      onConfirm={(proof) => answer.mutate(proof)}
      onClose={asked.cancel}
    />
  )
}
