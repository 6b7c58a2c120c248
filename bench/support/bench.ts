/** Environment of a benchmark. `bench/<topic>.ts` exports `name` and `run`; `npm run bench -- <topic>` runs it. */
export interface BenchEnv {
  /** URLs of the running server processes (two by default), without a load balancer. */
  nodes: string[]
  databaseUrl: string
  redisUrl: string
  chromium(): { path: string; env: Record<string, string> }
  /** CPU seconds used so far by part of the system; empty if unknown. */
  cpu(): Record<string, number>
  /** CPU seconds of one process; 0 if unknown. */
  processSeconds(pid: number): number
  /** `--seconds`; each topic has its own default. */
  seconds?: number | undefined
  messages?: number | undefined
  faults?: number | undefined
  /** `--posts`: also measure the feed with this many posts. */
  posts?: number | undefined
  /** `--rate`: units of work per second, where a topic has a rate. */
  rate?: number | undefined
  startNode(env?: Record<string, string>): Promise<{ url: string; pid: number; stop(): Promise<void> }>
}

/** One line of the printed table: column name to figure, in this order. */
export type BenchRow = Record<string, string | number>

export interface BenchModule {
  name: string
  /** Runs before the servers start. Returns variables that they need. */
  prepare?(): Promise<Record<string, string>>
  run(env: BenchEnv): Promise<BenchRow[]>
}
