import { setImmediate as nextTurn } from 'node:timers/promises'

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item }

export type GroupOptions = {
  /** The size of the largest group. */
  readonly most?: number
  /** What happens to the items of a group that failed. The work must then have changed nothing. */
  readonly ifItFails: 'try each alone' | 'reject all'
}

/** More saves little, as measured, and a group should end soon. */
const usualMost = 32

/**
 * Does the same work for several callers at once: calls that arrive while a group is at work form the next one. The
 * results are in the order of the items.
 */
export const inGroups = <Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most = usualMost, ifItFails }: GroupOptions,
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false

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
    isRunning = true
    while (waiting.length > 0) {
      // Calls of the same turn of the event loop join this group.
      await nextTurn()
      await attempt(waiting.splice(0, most))
    }
    isRunning = false
  }

  return (item) => {
    const one = { item, ...Promise.withResolvers<Result>() }
    waiting.push(one)
    if (!isRunning) void runGroups()
    return one.promise
  }
}
