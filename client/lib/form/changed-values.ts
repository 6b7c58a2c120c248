export function changesOf<Values extends object>(values: Values, began: Values): Partial<Values> {
  const changed = (Object.keys(values) as (keyof Values)[]).filter((key) => values[key] !== began[key])
  return Object.fromEntries(changed.map((key) => [key, values[key]])) as Partial<Values>
}
