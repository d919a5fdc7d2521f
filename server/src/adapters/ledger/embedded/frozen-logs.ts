import type { Files, NewFile, ReadableFiles } from '../../../ports/files/files.ts'

/** A log that goes on under a new name keeps the last checkpoint and the key of each earlier name, by number. */
export type FrozenLog = { readonly checkpoint: string; readonly vkey: string }

const folder = 'frozen'
const nameOf = (number: number, file: 'checkpoint' | 'vkey'): string => `${folder}/${number}/${file}`

export const listFrozen = async (files: ReadableFiles): Promise<number[]> => {
  const names = await files.list(folder)
  const numbers = new Set(names.map((name) => Number(name.split('/')[1])))
  return [...numbers].filter(Number.isSafeInteger).toSorted((one, other) => one - other)
}

export const readFrozen = async (files: ReadableFiles, number: number): Promise<FrozenLog | undefined> => {
  const [checkpoint, vkey] = await Promise.all(
    (['checkpoint', 'vkey'] as const).map((file) => files.read(nameOf(number, file))),
  )
  if (checkpoint === undefined || vkey === undefined) return undefined
  return { checkpoint: checkpoint.toString('utf8'), vkey: vkey.toString('utf8') }
}

/** What `writeFrozen` writes, in its order. */
export const frozenFiles = async function* (files: ReadableFiles, number: number): AsyncGenerator<NewFile> {
  const frozen = await readFrozen(files, number)
  if (frozen === undefined) return
  for (const file of ['vkey', 'checkpoint'] as const)
    yield { name: nameOf(number, file), bytes: Buffer.from(frozen[file]) }
}

/** Again after an interruption, when the log may have grown: the checkpoint of the first time is replaced. */
export const writeFrozen = async (
  files: Files,
  number: number,
  { checkpoint, vkey }: FrozenLog,
): Promise<void> => {
  await writeText(files, nameOf(number, 'vkey'), vkey)
  await writeText(files, nameOf(number, 'checkpoint'), checkpoint)
}

/** Replaces whatever is there. */
export const writeText = async (files: Files, name: string, text: string): Promise<void> =>
  files.replace({ name, expected: await files.read(name), bytes: Buffer.from(text) })

const nameEnd = /\/ledger\/(?:test|live)(?:\/(\d+))?$/

/** The first name of a log has no number: `mill.example/ledger/live`, `mill.example/ledger/live/2`. */
export const numberOf = (name: string): number => Number(nameEnd.exec(name)?.[1] ?? 1)

/** Everything before `/ledger/<mode>`: a host, and a path if the operator set one. */
export const hostOf = (name: string): string => name.replace(nameEnd, '')
