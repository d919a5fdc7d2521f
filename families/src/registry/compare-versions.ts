/** Sorts by number, newest last: 0.10.0 after 0.9.0. */
export const compareVersions = (a: string, b: string): number => {
  const numbers = (version: string) => version.split(/[.-]/).map(Number)
  const [left, right] = [numbers(a), numbers(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
