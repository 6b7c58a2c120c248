export const isFailing = ({ failed }: { failed: number }): boolean => failed > 0
