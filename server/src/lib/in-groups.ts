import { setImmediate as nextTurn } from 'node:timers/promises'

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item }

/** Most of what grouping saves, as measured, while a group still ends soon. */
const largestGroup = 32

/**
 * Does the same work for several callers at once: calls that arrive while a group is at work form the next one. If a
 * group fails, each of its items is tried alone, so work that fails must have changed nothing. The results are in the
 * order of the items.
 */
export const inGroups = <Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  const attempt = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(group.map(({ item }) => item))
      if (results.length !== group.length) throw new Error('A group needs one result for each of its items')
      for (const [place, result] of results.entries()) group[place]?.resolve(result)
    } catch (error) {
      if (group.length > 1) for (const one of group) await attempt([one])
      else group[0]?.reject(error)
    }
  }

  const runGroups = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      // Calls of the same turn of the event loop join this group.
      await nextTurn()
      await attempt(waiting.splice(0, largestGroup))
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
