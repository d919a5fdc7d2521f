import { DatabaseError } from 'pg'
import { DatabaseUnavailable } from '../../ports/database/database.ts'

/** Shut down, crashed, starting up, dropped, or out of connection slots: temporary, and not caused by the statement. */
const LOST_STATES = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '53300', '25P03'])

/** Disk full, disk error, out of memory: not caused by the statement either, and the connection stays usable. */
const HINDERED_STATES = new Set(['53100', '53200', '58030'])

/** A lock or a statement timed out, mostly because a lost client still holds what it locked. Not a NOWAIT. */
const isTimeout = ({ code = '', routine }: DatabaseError): boolean =>
  (code === '55P03' || code === '57014') && routine === 'ProcessInterrupts'

const LOST_SYSTEM_CODES = new Set([
  'EAGAIN',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** pg reports these without a code. */
const LOST_MESSAGES =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/

/** A newer release has changed a table that this connection has prepared statements for. A new connection plans again. */
const OUTDATED_PLAN = /^cached plan must not change result type$/

export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnavailable) return true
  if (error instanceof DatabaseError) {
    const { code = '', message } = error
    return code.startsWith('08') || LOST_STATES.has(code) || (code === '0A000' && OUTDATED_PLAN.test(message))
  }
  const code = 'code' in error ? error.code : undefined
  return (typeof code === 'string' && LOST_SYSTEM_CODES.has(code)) || LOST_MESSAGES.test(error.message)
}

const isHindered = (error: unknown): boolean =>
  error instanceof DatabaseError && (HINDERED_STATES.has(error.code ?? '') || isTimeout(error))

/** Wraps the error in a `DatabaseUnavailable` if it was caused by the connection or the machine of the database. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error
  if (!isConnectionLoss(error) && !isHindered(error)) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseUnavailable(`The database is unavailable: ${reason}`, { cause: error })
}
