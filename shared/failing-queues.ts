/** True if the queue holds failed jobs that nobody has retried or discarded. */
export const isFailing = ({ failed }: { failed: number }): boolean => failed > 0
