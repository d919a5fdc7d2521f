const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** JSON pointers to the outermost differences of two documents. */
export const differences = (one: unknown, other: unknown, pointer = ''): string[] => {
  if (!isTree(one) || !isTree(other) || Array.isArray(one) !== Array.isArray(other))
    return Object.is(one, other) ? [] : [pointer || '/']
  const left = new Map(Object.entries(one))
  const right = new Map(Object.entries(other))
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => {
    const place = `${pointer}/${escape(key)}`
    if (!left.has(key) || !right.has(key)) return [place]
    return differences(left.get(key), right.get(key), place)
  })
}
