/** What is asked of a store that may be full, closing or forbidden: that one refuses by a promise, or throws at once. */
export async function tried<Answer, Otherwise>(
  ask: () => Promise<Answer>,
  otherwise: Otherwise,
): Promise<Answer | Otherwise> {
  try {
    return await ask()
  } catch {
    return otherwise
  }
}
