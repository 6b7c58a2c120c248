/**
 * Does what one idempotency key stands for once: what `find` already knows under the key is the answer, else what `make`
 * makes. A repeat that arrives in the same moment finds nothing yet; whatever then stops its own try (the key itself, a limit,
 * that the vehicle is taken now), the first answer is there to be given.
 * @throws what `make` throws while nothing is stored under the key
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
