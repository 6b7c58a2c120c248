/** Returns the call's result, or `otherwise` if the call throws or rejects, for example because storage is full or blocked. */
export async function orElse<Answer, Otherwise>(
  ask: () => Promise<Answer>,
  otherwise: Otherwise,
): Promise<Answer | Otherwise> {
  try {
    return await ask()
  } catch {
    return otherwise
  }
}
