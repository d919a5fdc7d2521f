import { randomInt } from 'node:crypto'
import type { Database } from '../../../ports/database/database.ts'
import { ensureVhost } from './vhost.store.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const length = 8

/** As it was set, or made at the first use and the same ever after. */
export const vhostOf = ({
  database,
  given,
}: {
  readonly database: Database
  readonly given: string | undefined
}): (() => Promise<string>) => {
  let known = given
  return async () => {
    known ??= await ensureVhost(database, makeVhost())
    return known
  }
}

const makeVhost = (): string => Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
