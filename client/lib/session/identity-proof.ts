import type { Proof } from '#shared/schemas/auth.ts'
import { ApiError, refusedField } from '../http/api.ts'
import { defineSlice } from '../storage/store-slice.ts'

export interface AskedProof {
  /** Tries the change with this proof. @throws if the proof is wrong, so that the dealer can try again */
  answer: (proof: Proof) => Promise<void>
  cancel: () => void
}

/** The change that waits for proof. The signed-in app shows one dialog for all of them. */
const proof = defineSlice<{ asked: AskedProof | undefined }>('proof', () => ({ asked: undefined }))

const proofFields = ['password', 'code'] as const

/** The server's message if it refused the proof itself, to show beside its field. A new password is refused with 400. */
export const wrongProof = (error: unknown): string | undefined => {
  if (!(error instanceof ApiError) || error.status !== 403) return undefined
  const { password, code } = refusedField(error, proofFields)
  return password ?? code
}

export const isProofAsked = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'proof_required'

/** The part of a call's body that carries the proof: empty on the first attempt. */
interface GivenProof {
  proof?: Proof
}

/**
 * Makes a change that may require proof. If the server asks for proof, a dialog asks the dealer and the change is tried again with
 * the answer.
 * @throws the server's refusal, also when the dealer cancels the dialog
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
      // Cancels a change that is already waiting for proof, so that its button does not stay busy.
      proof.get().asked?.cancel()
      proof.set((state) => void (state.asked = asked))
    })
  }
}

export const useAskedProof = (): AskedProof | undefined => proof.use((state) => state.asked)
