export type Guard<Value> = (value: unknown) => value is Value

export const isText: Guard<string> = (value) => typeof value === 'string'

export const isNumber: Guard<number> = (value) => typeof value === 'number'

export const isFlag: Guard<boolean> = (value) => typeof value === 'boolean'

export const isOneOf =
  <const Values extends readonly unknown[]>(values: Values): Guard<Values[number]> =>
  (value): value is Values[number] =>
    values.includes(value)

export const isOptional =
  <Value>(guard: Guard<Value>): Guard<Value | undefined> =>
  (value): value is Value | undefined =>
    value === undefined || guard(value)

export const isListOf =
  <Item>(guard: Guard<Item>): Guard<Item[]> =>
  (value): value is Item[] =>
    Array.isArray(value) && value.every(guard)

/** Builds a type guard for an object from a guard for each field. If a field has no guard, compilation fails. */
export const isShape =
  <Shape extends object>(guards: { [Field in keyof Shape]-?: Guard<Shape[Field]> }): Guard<Shape> =>
  (value): value is Shape =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Guard<unknown>>(guards).every(([field, guard]) => guard(Reflect.get(value, field)))
