import t from 'tap'

type End = () => unknown
const { afterAllFiles } = t as typeof t & { afterAllFiles?: (end: End) => void }

/**
 * Ends what all files of a process share, after the last of them: the whole run has several in one, one after the other
 * (scripts/test/worker.mjs). A file that is run by itself is the last.
 */
export function afterLastFile(end: End): void {
  if (afterAllFiles) afterAllFiles(end)
  else t.teardown(end)
}
