import {
  type Checkpoint,
  checkAgainst,
  createStatusTree,
  emptyTree,
  growTree,
  isSameHead,
  isStateLeaf,
  leafHash,
  type Primitives,
  readCorrection,
  rootOf,
  type SignedTransaction,
  type StatusProof,
  type Tile,
  type TreeEdge,
  type TreeHead,
} from '@millseal/proof'
import { standingEntry } from './certificates.ts'
import {
  besideOf,
  certificateHash,
  correctedSubject,
  type Entry,
  readVerifiedEntry,
  spentBy,
} from './entry.ts'
import { LogRefused } from './log-refused.ts'
import {
  nothingRecorded,
  type Recorded,
  type RecordedState,
  type ReplaySource,
  restoreRecorded,
} from './recorded.ts'
import { assertAllowed, assertTimeFollows } from './rules.ts'
import { readAllowedState } from './state.ts'

/** A log as its entries make it, in less than 100 bytes for each. */
export type Replay = {
  readonly tree: TreeEdge
  /** The time of the last entry; empty if it has none. */
  readonly newest: string
  /** Of the tree of corrections. */
  readonly status: TreeHead
  /** The corrections of a certificate or key. */
  proveStatus(subject: string): StatusProof
  /** The entries of the certificate with this SHA-256 of its JSON, the first one first. */
  entriesOf(jsonHash: string): Promise<readonly number[]>
  /**
   * Adds the next entries; resolves with the tiles that changed. Rejects with `LogRefused` if the log must not contain them
   * there: then this replay must not be used any more.
   */
  add(entries: readonly Uint8Array[]): Promise<readonly Tile[]>
  /** Throws `LogRefused` unless the checkpoint says what the entries say. */
  assertSays(checkpoint: Checkpoint): void
  /** What another one continues with. */
  readonly state: ReplayState
}

export type ReplayState = {
  readonly operator: string | undefined
  readonly tree: TreeEdge
  readonly newest: string
  /** How many entries the log had with its last state leaf; 0 before its first one. */
  readonly stated: number
  /** What was corrected, and by which entries, in their order. */
  readonly corrections: readonly { readonly subject: string; readonly index: number }[]
  readonly recorded: RecordedState
}

/** A log without entries. `operator` is the DID that its checkpoints name. */
export const emptyReplay = (operator: string | undefined): ReplayState => ({
  operator,
  tree: emptyTree,
  newest: '',
  stated: 0,
  corrections: [],
  recorded: nothingRecorded(),
})

export const createReplay = (from: ReplayState, source: ReplaySource): Replay => {
  const { primitives } = source
  const { operator } = from
  let { tree, newest, stated } = from
  const corrections = [...from.corrections]
  const recorded = restoreRecorded(from.recorded, source)
  const status = createStatusTree(primitives)
  for (const { subject, index } of corrections) status.add(subject, index)

  const addOne = async (bytes: Uint8Array, index: number): Promise<void> => {
    if (isStateLeaf(bytes)) {
      newest = readAllowedState(bytes, { operator, newest, status: status.head })
      stated = index + 1
      return source.onAdded?.(undefined, index)
    }
    const { entry, ...placed } = await readAllowed(bytes, { operator, newest, recorded, primitives })
    recorded.add(entry.transaction, { index, ...placed })
    newest = entry.time ?? newest
    source.onAdded?.(entry, index)
    const subject = correctedSubject(entry)
    if (subject === undefined) return
    status.add(subject, index)
    corrections.push({ subject, index })
  }
  return {
    get tree() {
      return tree
    },
    get newest() {
      return newest
    },
    get status() {
      return status.head
    },
    proveStatus: (subject) => status.prove(subject),
    entriesOf: async (jsonHash) => (await recorded.entriesOf(jsonHash)).map(({ index }) => index),
    async add(entries) {
      for (const [at, bytes] of entries.entries()) {
        const index = tree.size + at
        await addOne(bytes, index).catch((cause: unknown) => {
          throw new LogRefused(`Entry ${index} is not valid at its position`, { cause })
        })
      }
      const leaves = entries.map((entry) => leafHash(entry, primitives))
      const { tree: grown, changed } = growTree(tree, leaves, primitives)
      tree = grown
      return changed
    },
    assertSays(checkpoint) {
      const head = headOf(tree, primitives)
      assertSame(checkpoint, { operator, newest, stated, tree: head, status: status.head })
    },
    get state() {
      return { operator, tree, newest, stated, corrections, recorded: recorded.state }
    },
  }
}

/** Throws unless the log may contain this entry next. */
const readAllowed = async (
  bytes: Uint8Array,
  {
    operator,
    newest,
    recorded,
    primitives,
  }: {
    readonly operator: string | undefined
    readonly newest: string
    readonly recorded: Recorded
    readonly primitives: Primitives
  },
) => {
  const entry = readVerifiedEntry(bytes, primitives)
  const { transaction, time } = entry
  assertTimeFollows(time, newest)
  const found = await findMentioned(entry, recorded)
  const history = {
    operator,
    findTransaction: (id: string) => found.get(id)?.transaction,
    findKey: recorded.findKey,
    isSpent: (output: { readonly transaction_id: string; readonly output_index: number }) =>
      recorded.isSpent(found.get(output.transaction_id)?.index ?? -1, output.output_index),
  }
  if (time === undefined) checkAgainst(transaction, history, primitives)
  else assertAllowed(transaction, history, primitives)
  const entries = await recorded.entriesOf(certificateHash(transaction, 'jsonHash'))
  const beside = found.get(besideOf(transaction) ?? '')?.index
  if (standingEntry(transaction, { entries, beside }) !== undefined)
    throw new LogRefused('its certificate is already in the log')
  return { entry, first: entries[0]?.index, indexOf: (id: string) => found.get(id)?.index }
}

const headOf = (tree: TreeEdge, primitives: Primitives): TreeHead => ({
  size: tree.size,
  root: rootOf(tree, primitives),
})

/** The entries that this one names, and itself if it is recorded already, by id. */
const findMentioned = async (
  { transaction, time }: Entry,
  { findId }: Recorded,
): Promise<ReadonlyMap<string, { readonly index: number; readonly transaction: SignedTransaction }>> => {
  // Entries without a time are older than corrections.
  const corrected = time === undefined ? [] : correctedIds(transaction)
  const spent = spentBy(transaction).map(({ id }) => id)
  const beside = besideOf(transaction)
  const mentioned = [transaction.id, ...spent, ...corrected, ...(beside === undefined ? [] : [beside])]
  const found = new Map<string, { readonly index: number; readonly transaction: SignedTransaction }>()
  for (const id of mentioned) {
    const entry = found.get(id) ?? (await findId(id))
    if (entry !== undefined) found.set(id, entry)
  }
  return found
}

const correctedIds = (transaction: SignedTransaction): readonly string[] => {
  const correction = readCorrection(transaction)
  if (correction === undefined || correction.action === 'revoke-key') return []
  const { transactionId } = correction
  return correction.action === 'replace' ? [transactionId, correction.replacedBy] : [transactionId]
}

const assertSame = (
  { size, root, time, operator, status }: Checkpoint,
  said: {
    readonly operator: string | undefined
    readonly newest: string
    readonly stated: number
    readonly tree: TreeHead
    readonly status: TreeHead
  },
): void => {
  if (!isSameHead({ size, root }, said.tree))
    throw new LogRefused(`The entries are not the ${size} that the checkpoint was signed over`)
  if (operator !== said.operator) throw new LogRefused('The checkpoint has another operator than before')
  if (said.newest !== '' && (time === undefined || time < said.newest))
    throw new LogRefused('The checkpoint has an earlier time than its newest entry')
  if (status === undefined ? said.status.size > 1 : !isSameHead(status, said.status))
    throw new LogRefused('The status tree of the checkpoint is not that of the corrections among the entries')
  if (said.stated === 0) return
  if (said.stated !== size) throw new LogRefused('The last entry of the checkpoint is not a state leaf')
  if (time !== said.newest || status === undefined)
    throw new LogRefused('The checkpoint does not say what its state leaf says')
}
