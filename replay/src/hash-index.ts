import type { Hashing } from '@millseal/proof'

/**
 * Finds entries by hashes, in 12 to 23 bytes for each. It stores only a part of a salted hash: its answers may be others,
 * and nobody can choose hashes that meet.
 */
export type HashIndex = {
  add(hash: string, entry: number): void
  /** The entries that may have this hash. */
  find(hash: string): readonly number[]
  /** What `restoreHashIndex` continues with. */
  readonly state: HashIndexState
}

export type HashIndexState = { readonly count: number; readonly slots: Uint32Array }

/** A slot has a part of the hash, and the number of the entry plus one. */
const wordsPerSlot = 2
const firstSlots = 1_024
/** More would lengthen the searches. */
const fullestShare = 0.7

export const emptyHashIndex = (): HashIndexState => ({
  count: 0,
  slots: new Uint32Array(firstSlots * wordsPerSlot),
})

export const restoreHashIndex = (
  state: HashIndexState,
  { salt, hashing }: { readonly salt: string; readonly hashing: Hashing },
): HashIndex => {
  let { count, slots } = state
  const encoder = new TextEncoder()
  const partOf = (hash: string): number => {
    const digest = hashing.sha256(encoder.encode(salt + hash))
    return new DataView(digest.buffer, digest.byteOffset).getUint32(0)
  }
  return {
    add(hash, entry) {
      if (count + 1 > (slots.length / wordsPerSlot) * fullestShare) slots = doubled(slots)
      put(slots, partOf(hash), entry + 1)
      count += 1
    },
    find(hash) {
      const part = partOf(hash)
      const found: number[] = []
      for (let at = placeOf(slots, part); slots[at + 1] !== 0; at = (at + wordsPerSlot) % slots.length)
        if (slots[at] === part) found.push((slots[at + 1] ?? 0) - 1)
      return found
    },
    get state() {
      return { count, slots }
    },
  }
}

const placeOf = (slots: Uint32Array, part: number): number => (part * wordsPerSlot) % slots.length

/** In the first free slot after its place. */
const put = (slots: Uint32Array, part: number, number: number): void => {
  let at = placeOf(slots, part)
  while (slots[at + 1] !== 0) at = (at + wordsPerSlot) % slots.length
  slots[at] = part
  slots[at + 1] = number
}

const doubled = (slots: Uint32Array): Uint32Array => {
  const twice = new Uint32Array(slots.length * 2)
  for (let at = 0; at < slots.length; at += wordsPerSlot)
    if (slots[at + 1] !== 0) put(twice, slots[at] ?? 0, slots[at + 1] ?? 0)
  return twice
}
