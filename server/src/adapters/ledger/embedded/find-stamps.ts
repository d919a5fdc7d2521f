import { checkpointIn, originOf } from '@millseal/proof'
import { remember } from '../../../lib/remember.ts'
import type { ReadableFiles } from '../../../ports/files/files.ts'
import { listStampFiles, readStampFile, type StoredStamp } from './stamp-files.ts'

/** The earliest stamped checkpoint of each authority that covers an entry, of the log with this name. */
export type FindStamps = (wanted: {
  readonly origin: string
  readonly index: number
}) => Promise<readonly StoredStamp[]>

/** A file that is not the newest never changes. */
const maxKnownFiles = 10_000
/** An authority that was away is found in one of the next files. */
const searchedFiles = 3

export const createStampFinder = (files: ReadableFiles): FindStamps => {
  /** The largest size in each file, by its number. */
  const known = new Map<string, number>()

  const largestIn = async (origin: string, number: number): Promise<number> => {
    const key = `${number} ${origin}`
    const found = known.get(key) ?? largestOf(await readStampFile(files, number), origin)
    remember(known, { key, value: found, atMost: maxKnownFiles })
    return found
  }
  return async ({ origin, index }) => {
    const numbers = await listStampFiles(files)
    const newest = numbers.length - 1
    let [from, to] = [0, Math.max(0, newest)]
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if ((await largestIn(origin, numbers[middle] ?? 0)) > index) to = middle
      else from = middle + 1
    }
    const read = numbers.slice(from, from + searchedFiles).map((number) => readStampFile(files, number))
    const covering = (await Promise.all(read)).flat().filter((stamp) => isCovering(stamp, { origin, index }))
    const first = new Map(covering.toReversed().map((stamp) => [stamp.authority, stamp]))
    return covering.filter((stamp) => first.get(stamp.authority) === stamp)
  }
}

const largestOf = (stamps: readonly StoredStamp[], origin: string): number =>
  stamps.reduce(
    (largest, { checkpoint }) =>
      originOf(checkpoint) === origin ? Math.max(largest, checkpointIn(checkpoint).size) : largest,
    0,
  )

const isCovering = (
  { checkpoint }: StoredStamp,
  { origin, index }: { readonly origin: string; readonly index: number },
): boolean => originOf(checkpoint) === origin && checkpointIn(checkpoint).size > index
