import { StartFault } from '#server/errors.ts'

interface Listener {
  listen(where: { host: string; port: number; backlog?: number }): Promise<string>
}

/** @throws {StartFault} if the address is not available. The message names the environment `variables` that set the address. */
export async function listenAt(
  app: Listener,
  where: { host: string; port: number; backlog?: number },
  variables: string,
): Promise<void> {
  try {
    await app.listen(where)
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error
    const fault = code === 'EADDRINUSE' ? 'is already in use by another program' : `cannot be listened on (${code})`
    throw new StartFault(`Port ${where.port} of ${where.host} ${fault}. Choose another one with ${variables}`)
  }
}
