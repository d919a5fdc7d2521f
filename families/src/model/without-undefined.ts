type Optional<T> = { [Name in keyof T]: undefined extends T[Name] ? Name : never }[keyof T]

/** JSON has no undefined: the object without the properties that have no value. */
export const withoutUndefined = <T extends object>(
  object: T,
): Omit<T, Optional<T>> & { [Name in Optional<T>]?: Exclude<T[Name], undefined> } => {
  const result = { ...object }
  for (const name in result) if (result[name] === undefined) delete result[name]
  return result
}
