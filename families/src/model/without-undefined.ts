type Optional<T> = { [Name in keyof T]: undefined extends T[Name] ? Name : never }[keyof T]
type Without<T> = Omit<T, Optional<T>> & { [Name in Optional<T>]?: Exclude<T[Name], undefined> }

/** JSON has no undefined: the object without the properties that have no value. Not a copy if all have one. */
export const withoutUndefined = <T extends object>(object: T): Without<T> => {
  for (const name in object) if (object[name] === undefined) return defined(object)
  return object
}

/** Properties are not deleted, which would make each further access to the object slow. */
const defined = <T extends object>(object: T): Without<T> => {
  const result: Partial<T> = {}
  for (const name in object) if (object[name] !== undefined) result[name] = object[name]
  return result as Without<T>
}
