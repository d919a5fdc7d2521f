/** For each file the files it imports, for types too. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** Groups of files that reach each other by imports. The linter finds these only if values are imported. */
export const findCycles = (imports: Imports): string[][] => {
  const cycles: string[][] = []
  const order = new Map<string, number>()
  const open: string[] = []

  // Tarjan's algorithm: a file that reaches nothing older than itself closes a group.
  const visit = (file: string): number => {
    const place = order.size
    order.set(file, place)
    open.push(file)
    let low = place
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target)) continue
      if (!order.has(target)) low = Math.min(low, visit(target))
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low)
    }
    if (low === place) {
      const group = open.splice(open.indexOf(file))
      if (group.length > 1) cycles.push(group)
    }
    return low
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return cycles
}
