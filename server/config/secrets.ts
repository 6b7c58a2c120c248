import { readFileSync } from 'node:fs'

/** Each of these can also be read from a file, as Docker and Kubernetes provide them. `NAME_FILE` holds the file's path. */
export const secretVariables = [
  'DATABASE_URL',
  'REDIS_URL',
  'REDIS_SENTINEL_PASSWORD',
  'SESSION_SECRET',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'GOOGLE_CLIENT_SECRET',
  'AI_API_KEY',
  'METRICS_TOKEN',
] as const

function readSecret(name: string, path: string, given: string | undefined): { value?: string; fault?: string } {
  if (given) return { fault: `${name}_FILE: cannot be set together with ${name}; set only one` }
  try {
    // A file written with `echo` ends with a line break that is not part of the secret.
    return { value: readFileSync(path, 'utf8').replace(/\r?\n$/, '') }
  } catch (error) {
    return { fault: `${name}_FILE: names a file that cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}

export function withSecretFiles(env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; faults: Map<string, string> } {
  const faults = new Map<string, string>()
  const read: NodeJS.ProcessEnv = { ...env }
  for (const name of secretVariables) {
    const path = env[`${name}_FILE`]
    if (!path) continue
    const { value, fault } = readSecret(name, path, env[name])
    if (fault !== undefined) faults.set(name, fault)
    else read[name] = value
  }
  return { env: read, faults }
}
