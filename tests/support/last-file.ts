import t from 'tap'

type End = () => unknown
const { afterAllFiles } = t as typeof t & { afterAllFiles?: (end: End) => void }

/**
 * Runs cleanup after the last test file of the process. In a full run, one process executes several files (scripts/test/worker.mjs). If a
 * file runs alone, it is the last.
 */
export function afterLastFile(end: End): void {
  if (afterAllFiles) afterAllFiles(end)
  else t.teardown(end)
}
