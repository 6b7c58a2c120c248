/** The environment in which a benchmark runs. `bench/<topic>.ts` exports `name` and `run`; `npm run bench -- <topic>` runs it. */
export interface BenchEnv {
  /** URLs of the running server processes (two by default). No load balancer is in front of them. */
  nodes: string[]
  databaseUrl: string
  redisUrl: string
  chromium(): { path: string; env: Record<string, string> }
  /** Returns the CPU seconds used so far by each part of the system, or an empty object if they are unknown. */
  cpu(): Record<string, number>
  /** Returns the CPU seconds used by one process, or 0 if they are unknown. */
  processSeconds(pid: number): number
  /** `--seconds`: duration of a measurement. Each topic has its own default. */
  seconds?: number | undefined
  messages?: number | undefined
  faults?: number | undefined
  /** `--posts`: also measures the feed with this many posts. */
  posts?: number | undefined
  /** `--rate`: units of work per second, for topics that have a rate. */
  rate?: number | undefined
  startNode(env?: Record<string, string>): Promise<{ url: string; pid: number; stop(): Promise<void> }>
}

/** A line of the printed table. Maps column names to figures, in this order. */
export type BenchRow = Record<string, string | number>

export interface BenchModule {
  name: string
  /** Runs before the servers start. Returns environment variables for the servers. */
  prepare?(): Promise<Record<string, string>>
  run(env: BenchEnv): Promise<BenchRow[]>
}
