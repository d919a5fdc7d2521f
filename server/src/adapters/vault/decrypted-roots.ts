import type { Mode } from '@millseal/contract'
import { descend, type KeyNode } from '../../lib/key-derivation/slip-0010.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { WalletRoot } from '../../ports/vault/vault.ts'

type Entry = {
  readonly encrypted: Buffer
  readonly master: KeyNode
  /** Child nodes by path. The keys of an account mostly differ in the last level only. */
  readonly branches: Map<string, KeyNode>
  readonly expiresAtMs: number
}

export type DecryptedRoots = Disposable & {
  /** Calls `decrypt` if the root is not remembered. Use the node at once: it is overwritten later. */
  nodeOf(root: WalletRoot, levels: readonly number[], decrypt: () => KeyNode): KeyNode
  forget(walletId: string): void
}

const sweepMs = 15_000
const maxBranches = 16

/**
 * Remembers a limited number of decrypted roots for a short time, and overwrites them afterwards. A lookup compares the
 * encrypted bytes, so another row never gets this root.
 */
export const rememberDecrypted = ({
  clock,
  seconds,
  maxRoots,
}: {
  readonly clock: Clock
  readonly seconds: number
  readonly maxRoots: number
}): DecryptedRoots => {
  const entries = new Map<string, Entry>()
  const drop = (name: string): void => {
    const entry = entries.get(name)
    entries.delete(name)
    for (const node of [entry?.master, ...(entry?.branches.values() ?? [])]) node?.fill(0)
  }
  /** After the clock was set back, the end lies further ahead than it can. */
  const isFresh = ({ expiresAtMs }: Entry, now: number): boolean =>
    expiresAtMs > now && expiresAtMs <= now + seconds * 1_000
  const sweep = (): void => {
    const now = clock.now()
    for (const [name, entry] of entries) if (!isFresh(entry, now)) drop(name)
  }
  const timer = setInterval(sweep, sweepMs).unref()
  const entryOf = (root: WalletRoot, decrypt: () => KeyNode): Entry => {
    const name = nameOf(root)
    const found = entries.get(name)
    if (found !== undefined && isFresh(found, clock.now()) && found.encrypted.equals(root.encrypted))
      return found
    drop(name)
    const entry = {
      encrypted: Buffer.from(root.encrypted),
      master: decrypt(),
      branches: new Map<string, KeyNode>(),
      expiresAtMs: clock.now() + seconds * 1_000,
    }
    const [oldest] = entries.keys()
    if (entries.size >= maxRoots && oldest !== undefined) drop(oldest)
    entries.set(name, entry)
    return entry
  }
  return {
    nodeOf: (root, levels, decrypt) => branchOf(entryOf(root, decrypt), levels),
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
  if (branches.size >= maxBranches && oldest !== undefined) {
    branches.delete(oldest[0])
    oldest[1].fill(0)
  }
  const node = descend(master, levels)
  branches.set(path, node)
  return node
}

const nameOf = ({ walletId, mode }: { readonly walletId: string; readonly mode: Mode }): string =>
  `${mode}/${walletId}`
