import { isSameHead } from '@millseal/proof'
import type { Copier } from './copier.ts'
import type { Copy } from './copy.ts'
import type { NodeKey } from './cosigner.ts'
import { createTurns } from './in-turn.ts'
import type { LogMemory, Served } from './log-memory.ts'
import { noteWith, type Signed } from './signed.ts'

/** Brings the copy to what was seen, and signs what was checked. */
export type Follower = {
  /** Until the newest checkpoint that was seen is published, or cannot be. Never rejects. */
  follow(): Promise<void>
  /** An earlier checkpoint of the same tree is signed again, but must not say anything else. Never rejects. */
  judgeEarlier(signed: Signed): Promise<void>
  /** The line of the node key, if everything in the checkpoint was checked. */
  lineFor(signed: Signed): Promise<string | undefined>
  /** With the copy as it is. */
  withCopy<T>(work: (copy: Copy) => Promise<T>): Promise<T>
  /** With the copy up to the published checkpoint. Undefined while it is being copied further. */
  read<T>(work: (copy: Copy, published: Served) => Promise<T>): Promise<T | undefined>
  close(): Promise<void>
}

/** Clocks differ, and what the log sends may be delayed. */
const toleranceMs = 15 * 60_000
/** An idle log signs its next checkpoint after a day. */
const oldestMs = 25 * 60 * 60_000

export const createFollower = ({
  memory,
  copier,
  nodeKey,
  now,
}: {
  readonly memory: LogMemory
  readonly copier: Copier
  readonly nodeKey: NodeKey
  readonly now: () => number
}): Follower => {
  const inTurn = createTurns()
  let following: Promise<void> | undefined
  /** When this process last knew that the log has no more entries than the copy. */
  let wholeAt: number | undefined

  const publish = async (target: Served): Promise<void> => {
    const isGrown = target.size !== memory.state.published?.size
    assertNow(target, { nowMs: now(), notBefore: isGrown ? wholeAt : undefined })
    await copier.copyUpTo(target)
    if (memory.state.stopped !== undefined) return
    const line = await nodeKey.cosign(target.text, now())
    await memory.setPublished({ ...target, served: noteWith(target, [line]) })
  }
  const followSeen = async (): Promise<void> => {
    for (let target = unpublished(memory); target !== undefined; target = unpublished(memory)) {
      const next = target
      await inTurn(() => publish(next))
    }
  }
  return {
    follow: () =>
      (following ??= memory.trying(followSeen).finally(() => {
        following = undefined
      })),
    async judgeEarlier(signed) {
      const { seen, published } = memory.state
      if (published?.size === signed.size) wholeAt = now()
      if (seen?.text === signed.text || published === undefined || !isSameHead(published, signed)) return
      await memory.trying(() => inTurn(() => copier.judge(signed)))
    },
    lineFor: async (signed) => {
      const isChecked = memory.state.published?.text === signed.text && isNow(signed, now())
      return isChecked ? await nodeKey.cosign(signed.text, now()) : undefined
    },
    withCopy: (work) => inTurn(async () => work(await copier.open())),
    read: (work) =>
      inTurn(async () => {
        const { published, stopped } = memory.state
        if (published === undefined) return undefined
        const copy = await copier.open({ exactly: stopped !== undefined })
        return copy.tree.size === published.size ? await work(copy, published) : undefined
      }),
    async close() {
      await following
      await inTurn(copier.close)
    },
  }
}

const unpublished = ({ state: { stopped, seen, published } }: LogMemory): Served | undefined =>
  stopped === undefined && seen?.text !== published?.text ? seen : undefined

const isNow = ({ time }: Signed, nowMs: number): boolean => {
  const age = time === undefined ? 0 : nowMs - Date.parse(time)
  return age >= -toleranceMs && age <= oldestMs
}

/** Either clock may be wrong, so this is no lie: the next checkpoint may have another time. */
const assertNow = (
  signed: Signed,
  { nowMs, notBefore }: { readonly nowMs: number; readonly notBefore: number | undefined },
): void => {
  const { time } = signed
  if (!isNow(signed, nowMs))
    throw new Error(`the checkpoint has the time ${time}, but here it is ${textOf(nowMs)}`)
  if (time !== undefined && notBefore !== undefined && Date.parse(time) < notBefore - toleranceMs)
    throw new Error(
      `the checkpoint has the time ${time}, but the log had fewer entries at ${textOf(notBefore)}`,
    )
}

const textOf = (ms: number): string => new Date(ms).toISOString()
