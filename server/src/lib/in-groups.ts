import { setImmediate as nextTurn } from 'node:timers/promises'

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item }

export type Spacing = {
  /** The minimum time from the start of a group to that of the next. A call that comes later does not wait. */
  readonly ms: number
  /** How many calls there can be at this moment: a group of so many does not wait for others. */
  readonly expected: () => number
}

export type GroupOptions = {
  /** The size of the largest group. */
  readonly most?: number
  /** How many groups are at work side by side. With more than one, a call waits for a slow group only if all are slow. */
  readonly atOnce?: number
  /** Without it, calls of a moderate rate share no group. */
  readonly spacing?: Spacing
  /** What happens to the items of a group that failed. The work must then have changed nothing. */
  readonly ifItFails: 'try each alone' | 'reject all'
}

/** More saves little, as measured, and a group should end soon. */
const usualMost = 32

/**
 * Does the same work for several callers at once: calls that arrive while groups are at work form the next one. The
 * results are in the order of the items.
 */
export const inGroups = <Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most = usualMost, atOnce = 1, spacing, ifItFails }: GroupOptions,
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = []
  let running = 0
  let startedAt = Number.NEGATIVE_INFINITY
  let endWait = (): void => {}

  const isComplete = ({ expected }: Spacing): boolean => waiting.length >= Math.min(most, expected())

  const waitForOthers = async (given: Spacing): Promise<void> => {
    const early = startedAt + given.ms - performance.now()
    if (early <= 0 || isComplete(given)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    endWait = resolve
    const timer = setTimeout(resolve, early)
    await promise
    clearTimeout(timer)
  }

  const attempt = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(group.map(({ item }) => item))
      if (results.length !== group.length) throw new Error('A group needs one result for each of its items')
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there are as many
      for (const [place, one] of group.entries()) one.resolve(results[place] as Result)
    } catch (error) {
      // All at once: if the database is away, they wait for it together.
      if (group.length > 1 && ifItFails === 'try each alone')
        await Promise.all(group.map((one) => attempt([one])))
      else for (const one of group) one.reject(error)
    }
  }

  const runGroups = async (): Promise<void> => {
    running += 1
    while (waiting.length > 0) {
      // Calls of the same turn of the event loop join this group.
      await nextTurn()
      if (spacing !== undefined) await waitForOthers(spacing)
      startedAt = performance.now()
      const group = waiting.splice(0, most)
      if (group.length > 0) await attempt(group)
    }
    running -= 1
  }

  return (item) => {
    const one = { item, ...Promise.withResolvers<Result>() }
    waiting.push(one)
    if (spacing !== undefined && isComplete(spacing)) endWait()
    if (running < atOnce) void runGroups()
    return one.promise
  }
}

/** The same for items of the same key. Groups of different keys are at work side by side, and only their own items fail. */
export const inGroupsOf = <Item, Result>(
  keyOf: (item: Item) => string,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: GroupOptions,
): ((item: Item) => Promise<Result>) => {
  const groups = new Map<string, { join: (item: Item) => Promise<Result>; count: number }>()
  return async (item) => {
    const key = keyOf(item)
    const group = groups.get(key) ?? { join: inGroups(work, options), count: 0 }
    groups.set(key, group)
    group.count += 1
    try {
      return await group.join(item)
    } finally {
      group.count -= 1
      if (group.count === 0) groups.delete(key)
    }
  }
}
