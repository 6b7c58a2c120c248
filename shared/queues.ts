/** The rule by which a queue fails: it holds a job that has used up its attempts, until every one is retried or discarded. */
export const isFailing = ({ failed }: { failed: number }): boolean => failed > 0
