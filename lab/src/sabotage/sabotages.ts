import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Proof, scorecard } from '../../../tooling/src/scorecard.ts'

/** A small fault that breaks exactly what a row of the scorecard promises. */
export type Sabotage = {
  readonly row: number
  readonly file: string
  readonly text: string
  readonly fault: string
  /** Replaces every occurrence of the text, where the guarantee rests on two places. */
  readonly everywhere?: boolean
  /** The test files of the row to run; others of the row are slower or about another part of it. */
  readonly tests?: readonly string[]
}

export const readSabotages = (root: string): readonly Sabotage[] =>
  JSON.parse(readFileSync(join(root, 'lab/sabotage.json'), 'utf8')) as readonly Sabotage[]

/** The tests of its row. */
export const proofsOf = ({ row, tests }: Sabotage): readonly Proof[] =>
  (scorecard[row - 1]?.proofs ?? []).filter(({ file }) => tests?.includes(file) ?? true)

/** The source with the fault. Throws if it is not clear where the fault belongs. */
export const withFault = (source: string, { row, text, fault, everywhere }: Sabotage): string => {
  const places = source.split(text).length - 1
  if (places === 0 || (places > 1 && everywhere !== true))
    throw new Error(`The text of row ${row} is ${places} times in its file: it must be there once`)
  return source.replaceAll(text, () => fault)
}
