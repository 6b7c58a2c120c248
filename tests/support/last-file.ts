import t from 'tap'

type End = () => unknown
const { afterAllFiles } = t as typeof t & { afterAllFiles?: (end: End) => void }

/**
 * Runs cleanup after the last test file of the process. A full run executes several files per process (scripts/test/worker.mjs);
 * a file run alone is the last.
 */
export function afterLastFile(end: End): void {
  if (afterAllFiles) afterAllFiles(end)
  else t.teardown(end)
}
