import { basename } from 'node:path'
import type { Mode } from '@millseal/contract'
import { NoteRefused } from '@millseal/proof'
import { LedgerStopped } from '../../../ports/ledger/ledger.ts'
import { LedgerDamaged } from './ledger-damaged.ts'

/** The same functions, but damaged files, rows and checkpoints become a `LedgerStopped` that names them. */
export const namingDamage = <T extends object>(calls: T, mode: Mode): T => {
  const named = Object.entries(
    calls as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>,
  ).map(([name, call]) => [
    name,
    async (...args: readonly unknown[]) => {
      try {
        return await call(...args)
      } catch (error) {
        const what = damageOf(error)
        if (what === undefined) throw error
        throw new LedgerStopped(`The ${mode} log is damaged: ${what}`, { cause: error })
      }
    },
  ])
  return Object.fromEntries(named) as T
}

const damageOf = (error: unknown): string | undefined => {
  if (error instanceof LedgerDamaged) return error.message
  if (error instanceof NoteRefused) return `checkpoint: ${error.message}`
  if (!(error instanceof Error && 'syscall' in error && 'path' in error)) return undefined
  return `${basename(String(error.path))} cannot be read`
}
