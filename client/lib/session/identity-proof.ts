import type { Proof } from '#shared/schemas/auth.ts'
import { ApiError, refusedField } from '../http/api.ts'
import { defineSlice } from '../storage/store-slice.ts'

export interface AskedProof {
  /** Retries the change with this proof. @throws if the proof is wrong, so that the dealer can try another */
  answer: (proof: Proof) => Promise<void>
  cancel: () => void
}

/** The change that waits for proof of identity. The signed-in app has one dialog for all such changes. */
const proof = defineSlice<{ asked: AskedProof | undefined }>('proof', () => ({ asked: undefined }))

const proofFields = ['password', 'code'] as const

/** Returns the server's message if the proof was wrong (403). An invalid new password is a 400, so it does not count. */
export const wrongProof = (error: unknown): string | undefined => {
  if (!(error instanceof ApiError) || error.status !== 403) return undefined
  const { password, code } = refusedField(error, proofFields)
  return password ?? code
}

export const isProofAsked = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'proof_required'

/** The part of a request body that contains the proof. Empty in the first attempt. */
interface GivenProof {
  proof?: Proof
}

/**
 * Makes a change. If the server asks for proof of identity, a dialog asks the dealer, and the change is sent again with the proof.
 * @throws the server's error if it rejects the change, or if the dealer cancels the dialog
 */
export async function withProof<Answer>(act: (given: GivenProof) => Promise<Answer>): Promise<Answer> {
  try {
    return await act({})
  } catch (refused) {
    if (!isProofAsked(refused)) throw refused
    return new Promise<Answer>((resolve, reject) => {
      const end = () => {
        if (proof.get().asked === asked) proof.set((state) => void (state.asked = undefined))
      }
      const answer = async (given: Proof) => {
        try {
          resolve(await act({ proof: given }))
        } catch (error) {
          if (isProofAsked(error) || wrongProof(error) !== undefined) throw error
          reject(error)
        }
        end()
      }
      const cancel = () => {
        reject(refused)
        end()
      }
      const asked: AskedProof = { answer, cancel }
      // Cancel a change that already waits for proof, so that its button does not stay busy.
      proof.get().asked?.cancel()
      proof.set((state) => void (state.asked = asked))
    })
  }
}

export const useAskedProof = (): AskedProof | undefined => proof.use((state) => state.asked)
