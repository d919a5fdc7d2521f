import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing, readIfPresent, writeDurably } from './durable-files.ts'

/** A log that goes on under a new name keeps the last checkpoint and the key of each earlier name, by number. */
export type FrozenLog = { readonly checkpoint: string; readonly vkey: string }

const folderOf = (number: number): string => join('frozen', String(number))

export const listFrozen = async (path: string): Promise<number[]> => {
  try {
    const names = await readdir(join(path, 'frozen'))
    return names
      .map(Number)
      .filter(Number.isSafeInteger)
      .toSorted((one, other) => one - other)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

export const readFrozen = async (path: string, number: number): Promise<FrozenLog | undefined> => {
  const [checkpoint, vkey] = await Promise.all(
    ['checkpoint', 'vkey'].map((name) => readIfPresent(join(path, folderOf(number), name))),
  )
  if (checkpoint === undefined || vkey === undefined) return undefined
  return { checkpoint: checkpoint.toString('utf8'), vkey: vkey.toString('utf8') }
}

export const writeFrozen = (path: string, number: number, { checkpoint, vkey }: FrozenLog): Promise<void> =>
  writeDurably(path, [
    { path: join(folderOf(number), 'vkey'), bytes: Buffer.from(vkey) },
    { path: join(folderOf(number), 'checkpoint'), bytes: Buffer.from(checkpoint) },
  ])

const nameEnd = /\/ledger\/(?:test|live)(?:\/(\d+))?$/

/** The first name of a log has no number: `mill.example/ledger/live`, `mill.example/ledger/live/2`. */
export const numberOf = (name: string): number => Number(nameEnd.exec(name)?.[1] ?? 1)

/** Everything before `/ledger/<mode>`: a host, and a path if the operator set one. */
export const hostOf = (name: string): string => name.replace(nameEnd, '')
