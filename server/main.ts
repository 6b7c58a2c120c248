import { ConfigError, loadConfig } from './config.ts'
import { startServer } from './server.ts'

async function main(): Promise<void> {
  const server = await startServer(loadConfig())
  const stop = (signal: string) => {
    server.stop(signal).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.stdout.write(server.banner)
}

main().catch((error: unknown) => {
  // Faults of the configuration are for a person to read; anything else needs its stack.
  process.stderr.write(`${error instanceof ConfigError ? error.message : String((error as Error).stack ?? error)}\n`)
  process.exit(1)
})
