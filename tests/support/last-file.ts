import t from 'tap'

type End = () => unknown
const { afterAllFiles } = t as typeof t & { afterAllFiles?: (end: End) => void }

/** Runs `end` after the last test file of this process. A full run executes several files per process (scripts/test/worker.mjs). */
export function afterLastFile(end: End): void {
  if (afterAllFiles) afterAllFiles(end)
  else t.teardown(end)
}
