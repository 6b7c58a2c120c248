/** What a benchmark module gets and gives. `bench/<topic>.ts` exports `name` and `run`; `npm run bench -- <topic>` runs some. */
export interface BenchEnv {
  /** Addresses of the server processes that already run (two by default), behind no balancer. */
  nodes: string[]
  databaseUrl: string
  redisUrl: string
  /** The browser to drive, looked for when asked. */
  chromium(): { path: string; env: Record<string, string> }
  /** Seconds of processor time used so far, by part of the system; empty where the machine does not tell. */
  cpu(): Record<string, number>
  /** The same of one process; 0 where the machine does not tell. */
  processSeconds(pid: number): number
  /** How long a topic that goes on for a while should; its own measure where it is not said. */
  seconds?: number | undefined
  /** How much a topic that sends messages under faults does, where it is said. */
  messages?: number | undefined
  faults?: number | undefined
  /** As many posts as the feed is to be measured with besides its own sizes, where it is said. */
  posts?: number | undefined
  /** Starts another server process with the same data; it is stopped at the end. */
  startNode(env?: Record<string, string>): Promise<{ url: string; pid: number; stop(): Promise<void> }>
}

/** One line of the printed table: column name to figure, in the order given. */
export type BenchRow = Record<string, string | number>

export interface BenchModule {
  name: string
  run(env: BenchEnv): Promise<BenchRow[]>
}
