/** The environment of a benchmark. `npm run bench -- <topic>` runs bench/<topic>.ts. */
export interface BenchEnv {
  /** URLs of the running server processes. No load balancer is in front of them. */
  nodes: string[]
  databaseUrl: string
  redisUrl: string
  chromium(): { path: string; env: Record<string, string> }
  /** Returns the CPU seconds that each part of the system has used, or an empty object if they are unknown. */
  cpu(): Record<string, number>
  /** Returns the CPU seconds that a process has used, or 0 if they are unknown. */
  processSeconds(pid: number): number
  /** Seconds for which each figure is measured. Each topic has its own default. */
  seconds?: number | undefined
  messages?: number | undefined
  faults?: number | undefined
  /** The feed is also measured with this many posts. Find is measured with at most this many vehicles. */
  posts?: number | undefined
  rate?: number | undefined
  startNode(env?: Record<string, string>): Promise<{ url: string; pid: number; stop(): Promise<void> }>
}

/** A line of the printed table: values by column name. */
export type BenchRow = Record<string, string | number>

export interface BenchModule {
  name: string
  /** Runs before the servers start. Returns environment variables for the servers. */
  prepare?(): Promise<Record<string, string>>
  run(env: BenchEnv): Promise<BenchRow[]>
}
