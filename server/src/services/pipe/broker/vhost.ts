import { randomInt } from 'node:crypto'
import type { PipeOptions } from '../dependencies.ts'
import { ensureVhost } from './vhost.store.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const length = 8

/** Returns the name that was set; if none was, one that is made at the first use and never changes. */
export const vhostOf = ({ database, vhost }: PipeOptions): (() => Promise<string>) => {
  let known = vhost
  return async () => {
    known ??= await ensureVhost(database.query, makeVhost())
    return known
  }
}

const makeVhost = (): string => Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
