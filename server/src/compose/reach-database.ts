import { setTimeout as delay } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { asUnavailable } from '../adapters/database/unavailable.ts'
import { ConfigError } from '../config.ts'
import { DatabaseUnavailable } from '../ports/database/database.ts'

/** A database that starts or restarts beside the server is back in less. */
const patienceMs = 10_000
const pauseMs = 250
const attemptMs = 3_000

/** States of PostgreSQL that only another address changes. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refuses this user and password',
  '28000': 'refuses this user',
  '3D000': 'has no database with this name',
}

/**
 * Connects once, before anything else is loaded. Waits for a database that is not there yet, and says so. Rejects with a
 * `ConfigError` if waiting cannot help.
 */
export const reachDatabase = async (
  url: string,
  say: (line: string) => void,
  waitMs = patienceMs,
): Promise<void> => {
  const place = placeOf(url)
  const deadline = performance.now() + waitMs
  for (let attempt = 0; ; attempt += 1) {
    const reason = await reasonAgainst(url, place)
    if (reason === undefined) return
    if (attempt === 0)
      say(`waiting up to ${waitMs / 1_000} s for the database at ${place}, which may be starting: ${reason}`)
    if (performance.now() + pauseMs > deadline)
      throw new Error(`DATABASE_URL: the database at ${place} cannot be reached: ${reason}`)
    await delay(pauseMs)
  }
}

/** Undefined if it can be reached. Never the password, nor a message, which could have it. */
const reasonAgainst = async (url: string, place: string): Promise<string | undefined> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: attemptMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    const refusal = error instanceof DatabaseError ? refusals[error.code ?? ''] : undefined
    if (refusal !== undefined) throw new ConfigError(`DATABASE_URL: the server at ${place} ${refusal}`)
    // The start itself says what it is.
    if (!(asUnavailable(error) instanceof DatabaseUnavailable)) return undefined
    return codeOf(error) ?? 'no answer'
  } finally {
    await client.end().catch(() => {})
  }
}

const placeOf = (url: string): string => {
  const { hostname, port, searchParams } = new URL(url)
  return (
    searchParams.get('host') ?? `${hostname === '' ? 'localhost' : hostname}:${port === '' ? '5432' : port}`
  )
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
