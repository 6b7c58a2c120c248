import { StartFault } from '#server/errors.ts'

/** As both kinds of server have it, plain and with the types of its schemas. */
interface Listener {
  listen(where: { host: string; port: number; backlog?: number }): Promise<string>
}

/**
 * Opens the port of a server.
 * @param variables that name it, for whoever has to choose another
 * @throws {StartFault} where the system does not give it
 */
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
    const fault = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be listened on (${code})`
    throw new StartFault(`Port ${where.port} of ${where.host} ${fault}: ${variables} name another`)
  }
}
