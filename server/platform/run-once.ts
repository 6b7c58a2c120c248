/**
 * Returns the result stored under the request's idempotency key, or creates it. If a concurrent request stores its result first,
 * returns that result.
 * @throws the error of `make` if no result is stored
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
