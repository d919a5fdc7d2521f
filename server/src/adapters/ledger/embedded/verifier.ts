import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SignatureCheck, SignedTransaction, VerifiedTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import { assertValid } from './admission.ts'
import type { SignatureThread } from './signature-thread.ts'

/** Verifies what does not depend on the ledger, with the results of `assertValid`, in the order of the calls. */
export type Verifier = AsyncDisposable & {
  /** Rejects with `TransactionRefused`, or with `LedgerUnavailable` once it is closed. */
  verify(transaction: SignedTransaction): Promise<VerifiedTransaction>
}

/** Fewer are verified here: handing them to a thread takes longer. */
const fewestForThread = 8
/** While these are verified, the transactions before them are written. */
const mostAtOnce = 128

/**
 * The signatures of transactions that come together are verified on a thread of their own, because they take most of the
 * time and this thread also answers requests. Not in libuv's pool, where flushes of the log would wait for them.
 */
export const createVerifier = (thread: SignatureThread): Verifier => {
  let isClosed = false
  const verifyAll = async (checks: readonly SignatureCheck[]): Promise<readonly boolean[]> => {
    if (checks.length < fewestForThread) return verifyHere(checks)
    if (thread.isReady) return await thread.verify(checks).catch(() => verifyHere(checks))
    thread.start()
    await nextTurn()
    return verifyHere(checks)
  }
  const areValid = groupChecks(verifyAll)
  return {
    async verify(transaction) {
      const signatures: SignatureCheck[] = []
      const collecting = {
        ...nodePrimitives,
        verifyEd25519: (check: SignatureCheck) => signatures.push(check) > 0,
      }
      const verified = attempt(() => assertValid(transaction, collecting))
      const isValid = await areValid(signatures)
      if (isClosed) throw new LedgerUnavailable('The ledger is closing')
      // Again, because the first of several faults is the one to report, and an invalid signature may come before others.
      return verified !== undefined && isValid ? verified : assertValid(transaction)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await thread[Symbol.asyncDispose]()
    },
  }
}

type Waiting = PromiseWithResolvers<boolean> & { readonly checks: readonly SignatureCheck[] }

/** Calls of one tick, and those that arrive while a group is verified, are a group. `inGroups` would delay a lone call by a turn. */
const groupChecks = (
  verifyAll: (checks: readonly SignatureCheck[]) => Promise<readonly boolean[]>,
): ((checks: readonly SignatureCheck[]) => Promise<boolean>) => {
  const waiting: Waiting[] = []
  let running: Promise<void> | undefined

  const verifyGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const results = await verifyAll(group.flatMap(({ checks }) => checks))
      let at = 0
      for (const { checks, resolve } of group) {
        resolve(results.slice(at, at + checks.length).every(Boolean))
        at += checks.length
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  const run = async (): Promise<void> => {
    while (waiting.length > 0) await verifyGroup(waiting.splice(0, mostAtOnce))
    running = undefined
  }
  return (checks) => {
    const one = { checks, ...Promise.withResolvers<boolean>() }
    waiting.push(one)
    running ??= Promise.resolve().then(run)
    return one.promise
  }
}

const verifyHere = (checks: readonly SignatureCheck[]): readonly boolean[] =>
  checks.map((check) => nodePrimitives.verifyEd25519(check))

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}
