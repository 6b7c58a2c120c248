import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import type { Proof } from '#shared/schemas/auth.ts'
import { reasonOf } from '#client/lib/http/api.ts'
import { isProofAsked, wrongProof } from '#client/lib/session/identity-proof.ts'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { securityQuery } from '../auth.api.ts'
import { missingProof, ProofFields } from './proof-fields.tsx'

interface ProofDialogProps {
  title: string
  description: string
  confirmLabel: string
  destructive?: boolean
  busy: boolean
  error: Error | null
  onConfirm: (proof: Proof) => void
  onClose: () => void
  children?: ReactNode
}

/** Asks for proof of identity before an action that only the account's owner may perform. */
export function ProofDialog(props: ProofDialogProps) {
  const { title, description, confirmLabel, destructive = false, busy, error, onConfirm, onClose, children } = props
  const [proof, setProof] = useState<Proof>({})
  const [missing, setMissing] = useState<string>()
  const refused = wrongProof(error)
  const query = useQuery(securityQuery())
  const { data, refetch } = query
  // If the session's proof expired while the dialog was open, refetch, so that the dialog asks for proof again.
  useEffect(() => {
    if (isProofAsked(error)) void refetch()
  }, [error, refetch])
  return (
    <FormDialog
      title={title}
      description={description}
      confirmLabel={confirmLabel}
      destructive={destructive}
      busy={busy}
      disabled={!data}
      onClose={onClose}
      onSubmit={() => {
        if (!data) return
        const fault = missingProof(data, proof)
        setMissing(fault)
        if (fault === undefined) onConfirm(proof)
      }}
    >
      {error && refused === undefined ? <InlineError title="Nothing was changed" message={reasonOf(error)} /> : null}
      {children}
      {data ? (
        <ProofFields
          security={data}
          proof={proof}
          error={missing ?? refused}
          onChange={(next) => {
            setMissing(undefined)
            setProof(next)
          }}
        />
      ) : (
        <QueryState
          query={query}
          failure="Your security settings could not be loaded"
          label="Loading security settings"
        >
          <SkeletonRows />
        </QueryState>
      )}
    </FormDialog>
  )
}
