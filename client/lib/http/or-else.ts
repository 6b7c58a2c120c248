/** Returns `otherwise` if the call rejects or throws, as a full or forbidden store may. */
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
