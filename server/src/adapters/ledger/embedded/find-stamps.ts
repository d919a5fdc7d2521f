import { checkpointIn, originOf } from '@millseal/proof'
import { remember } from '../../../lib/remember.ts'
import type { ReadableFiles } from '../../../ports/files/files.ts'
import { listStampFiles, readStampFile, type StoredStamp } from './stamp-files.ts'

/** The earliest stamped checkpoint of each authority that covers an entry, of the log with this name. */
export type FindStamps = (wanted: Wanted) => Promise<readonly StoredStamp[]>

type Wanted = { readonly origin: string; readonly index: number }

/** A file that is not the newest never changes. */
const maxKnownFiles = 10_000
/** An authority that was away is found in one of the next files. */
const searchedFiles = 3

/** Lists the folder once. Then it knows the newest file, and finds the next ones where they must be. */
export const createStampFinder = (files: ReadableFiles): FindStamps => {
  /** The largest size in each file, by its number. */
  const known = new Map<string, number>()
  let newest: number | undefined

  const largestIn = async (origin: string, number: number): Promise<number> => {
    const key = `${number} ${origin}`
    const found = known.get(key) ?? largestOf(await readStampFile(files, number), origin)
    remember(known, { key, value: found, atMost: maxKnownFiles })
    return found
  }
  /** The first file with a checkpoint that covers the entry, or the newest. */
  const firstFor = async (wanted: Wanted, last: number): Promise<number> => {
    let [from, to] = [1, last]
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if ((await largestIn(wanted.origin, middle)) > wanted.index) to = middle
      else from = middle + 1
    }
    return from
  }
  const findFrom = async (wanted: Wanted, last: number): Promise<readonly StoredStamp[]> => {
    const from = await firstFor(wanted, last)
    const numbers = Array.from({ length: searchedFiles }, (_, more) => from + more)
    const read = await Promise.all(numbers.map((number) => readStampFile(files, number)))
    const reached = numbers[read.findLastIndex((stamps) => stamps.length > 0)] ?? last
    newest = Math.max(newest ?? 1, last, reached)
    const covering = read.flat().filter((stamp) => isCovering(stamp, wanted))
    // Others may have filled several files since.
    if (covering.length === 0 && newest > last) return findFrom(wanted, newest)
    const first = new Map(covering.toReversed().map((stamp) => [stamp.authority, stamp]))
    return covering.filter((stamp) => first.get(stamp.authority) === stamp)
  }
  return async (wanted) => findFrom(wanted, newest ?? (await listStampFiles(files)).at(-1) ?? 1)
}

const largestOf = (stamps: readonly StoredStamp[], origin: string): number =>
  stamps.reduce(
    (largest, { checkpoint }) =>
      originOf(checkpoint) === origin ? Math.max(largest, checkpointIn(checkpoint).size) : largest,
    0,
  )

const isCovering = ({ checkpoint }: StoredStamp, { origin, index }: Wanted): boolean =>
  originOf(checkpoint) === origin && checkpointIn(checkpoint).size > index
