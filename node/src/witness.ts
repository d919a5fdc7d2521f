import { emptyTree, rootOf, verifyConsistency } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type CheckpointAnswer, type CheckpointRequest, conflict, refuse } from './add-checkpoint.ts'
import type { NodeKey } from './cosigner.ts'
import { createTurns } from './in-turn.ts'
import type { LogMemory } from './log-memory.ts'
import { noteWith, type Signed } from './signed.ts'

/** C2SP tlog-witness: remembers the newest checkpoint, and lets no other history take its place. */
export type Witness = {
  /** Undefined if the checkpoint continues what was seen: then it is on disk. */
  admit(signed: Signed, request: CheckpointRequest): Promise<CheckpointAnswer | undefined>
  lineFor(signed: Signed): Promise<string>
}

export const createWitness = ({
  memory,
  witnessKey,
  suspect,
  now,
}: {
  readonly memory: LogMemory
  readonly witnessKey: NodeKey
  /** Called with what does not continue what was seen. */
  readonly suspect: (signed: Signed) => void
  readonly now: () => number
}): Witness => {
  // Otherwise two requests could compare with the same state.
  const inTurn = createTurns()
  const lineFor = (signed: Signed): Promise<string> => witnessKey.cosign(signed.text, now())

  const admit = async (
    signed: Signed,
    { oldSize, proof }: CheckpointRequest,
  ): Promise<CheckpointAnswer | undefined> => {
    const { stopped, seen } = memory.state
    if (stopped !== undefined) return refuseStopped(stopped)
    if (oldSize > signed.size) return refuse(400, 'The old size is larger than the checkpoint')
    const size = seen?.size ?? 0
    if (oldSize !== size) {
      if (signed.size < size) suspect(signed)
      return conflict(size)
    }
    const oldRoot = seen?.root ?? rootOf(emptyTree, nodePrimitives)
    const growth = { oldSize, newSize: signed.size, oldRoot, newRoot: signed.root, proof }
    if (!verifyConsistency(growth, nodePrimitives)) {
      suspect(signed)
      return refuse(422, `The ${size} entries that were seen before are not proven to be the first of these`)
    }
    if (seen === undefined || signed.size > size || isLater(signed, seen))
      await memory.setSeen({ ...signed, served: noteWith(signed, [await lineFor(signed)]) })
    return undefined
  }
  return { admit: (signed, request) => inTurn(() => admit(signed, request)), lineFor }
}

const isLater = (one: Signed, other: Signed): boolean => (one.time ?? '') > (other.time ?? '')

export const refuseStopped = (why: string): CheckpointAnswer =>
  refuse(403, `This node stopped following the log, and keeps the evidence: ${why}`)
