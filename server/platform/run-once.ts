/**
 * Runs `make` once per idempotency key. Returns the result that `find` finds under the key, otherwise the result of `make`. If
 * `make` fails because a concurrent request with the same key was faster, returns the result of that request.
 * @throws the error of `make` if nothing is stored under the key
 */
export async function once<Answer>(
  find: () => Promise<Answer | undefined>,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const known = await find()
  if (known !== undefined) return known
  try {
    return await make()
  } catch (error) {
    const first = await find()
    if (first === undefined) throw error
    return first
  }
}
