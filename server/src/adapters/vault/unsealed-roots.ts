import { descend, type KeyNode } from '../../lib/key-derivation/slip-0010.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { WalletRoot } from '../../ports/vault/vault.ts'

type Entry = {
  readonly sealed: Buffer
  readonly master: KeyNode
  /** Nodes below, by their path: keys of one account mostly differ in the last level only. */
  readonly branches: Map<string, KeyNode>
  readonly expiresAtMs: number
}

export type UnsealedRoots = Disposable & {
  /** The node at this path of the root, which is opened at most once a while. Overwritten later: to be used at once. */
  nodeOf(root: WalletRoot, levels: readonly number[], open: () => KeyNode): KeyNode
  forget(walletId: string): void
}

const sweepMs = 15_000
const branchesAtMost = 16

/**
 * The few roots in use, for a short time, overwritten when they leave. A root is found only by the very bytes it was
 * opened from, so another row never gets it.
 */
export const rememberUnsealed = ({
  clock,
  seconds,
  atMost,
}: {
  readonly clock: Clock
  readonly seconds: number
  readonly atMost: number
}): UnsealedRoots => {
  const entries = new Map<string, Entry>()
  const drop = (name: string): void => {
    const entry = entries.get(name)
    entries.delete(name)
    for (const node of [entry?.master, ...(entry?.branches.values() ?? [])]) node?.fill(0)
  }
  const sweep = (): void => {
    const now = clock.now()
    for (const [name, { expiresAtMs }] of entries) if (expiresAtMs <= now) drop(name)
  }
  const timer = setInterval(sweep, sweepMs).unref()
  const entryOf = (root: WalletRoot, open: () => KeyNode): Entry => {
    const name = nameOf(root)
    const found = entries.get(name)
    if (found !== undefined && found.expiresAtMs > clock.now() && found.sealed.equals(root.sealed))
      return found
    drop(name)
    const entry = {
      sealed: Buffer.from(root.sealed),
      master: open(),
      branches: new Map<string, KeyNode>(),
      expiresAtMs: clock.now() + seconds * 1_000,
    }
    const [oldest] = entries.keys()
    if (entries.size >= atMost && oldest !== undefined) drop(oldest)
    entries.set(name, entry)
    return entry
  }
  return {
    nodeOf: (root, levels, open) => branchOf(entryOf(root, open), levels),
    forget(walletId) {
      drop(nameOf({ walletId, mode: 'test' }))
      drop(nameOf({ walletId, mode: 'live' }))
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      for (const name of entries.keys()) drop(name)
    },
  }
}

const branchOf = ({ master, branches }: Entry, levels: readonly number[]): KeyNode => {
  const path = levels.join('/')
  const found = branches.get(path)
  if (found !== undefined) return found
  const [oldest] = branches
  if (branches.size >= branchesAtMost && oldest !== undefined) {
    branches.delete(oldest[0])
    oldest[1].fill(0)
  }
  const node = descend(master, levels)
  branches.set(path, node)
  return node
}

const nameOf = ({ walletId, mode }: Pick<WalletRoot, 'walletId' | 'mode'>): string => `${mode}/${walletId}`
