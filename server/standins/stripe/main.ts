import { exitWith, loadConfig } from '#server/config/config.ts'
import { usesStandin } from '#server/features/billing/billing.service.ts'
import { startSharedStandin } from './shared-standin.ts'

async function main(): Promise<void> {
  const config = loadConfig()
  if (!usesStandin(config)) {
    process.stdout.write('The payment stand-in is not needed: a real provider is configured, or DEMO is off\n')
    return
  }
  const { url, close } = await startSharedStandin(config)
  process.stdout.write(`The payment stand-in is ready at ${url}\n`)
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void close().then(() => process.exit(0)))
}

main().catch(exitWith)
