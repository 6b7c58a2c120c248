import type { Proof } from '#shared/schemas/auth.ts'
import { ApiError, refusedField } from './api.ts'
import { defineSlice } from './slice.ts'

/** A change that waits for a proof of who asks. */
export interface AskedProof {
  /** Tries the change with this proof. Throws where the proof is wrong, for another try. */
  answer: (proof: Proof) => Promise<void>
  cancel: () => void
}

/** The signed-in app shows the dialog, whichever call was refused. */
const proof = defineSlice<{ asked: AskedProof | undefined }>('proof', () => ({ asked: undefined }))

const proofFields = ['password', 'code'] as const

/** What the server says is wrong with a proof, beside its field. */
export const wrongProof = (error: unknown): string | undefined => {
  const { password, code } = refusedField(error, proofFields)
  return password ?? code
}

const isProofAsked = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'proof_required'

/** Part of the body of a call that takes a proof: nothing at the first try. */
interface GivenProof {
  proof?: Proof
}

/**
 * Makes a change that may take a proof. Where the server asks for one, a dialog asks the dealer, and the change is tried again with
 * their answer.
 * @throws the refusal where the dealer cancels, and whatever else the server refuses
 */
export async function withProof<Answer>(act: (given: GivenProof) => Promise<Answer>): Promise<Answer> {
  try {
    return await act({})
  } catch (refused) {
    if (!isProofAsked(refused)) throw refused
    return new Promise<Answer>((resolve, reject) => {
      const end = () => proof.set((state) => void (state.asked = undefined))
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
      proof.set((state) => void (state.asked = { answer, cancel }))
    })
  }
}

export const useAskedProof = (): AskedProof | undefined => proof.use((state) => state.asked)
