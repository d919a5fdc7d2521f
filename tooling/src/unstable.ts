import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FailedFile } from './test-run.ts'

/** A test that failed beside others and passed alone, until somebody cures it and deletes its line. */
export type Debt = {
  readonly file: string
  readonly test: string
  readonly times: number
  readonly last: string
}

/** A test that failed so often is no accident. */
const mostTimes = 3

const pathIn = (root: string): string => join(root, 'tooling/unstable.json')

export const readDebts = (root: string): readonly Debt[] => JSON.parse(readFileSync(pathIn(root), 'utf8'))

export const addDebts = (
  debts: readonly Debt[],
  unstable: readonly FailedFile[],
  day: string,
): readonly Debt[] => {
  const known = new Map(debts.map((debt) => [`${debt.file} ${debt.test}`, debt]))
  for (const { file, tests } of unstable)
    for (const test of tests) {
      const times = (known.get(`${file} ${test}`)?.times ?? 0) + 1
      known.set(`${file} ${test}`, { file, test, times, last: day })
    }
  return [...known.values()]
}

/** Adds what was unstable in this run, and returns what is too often so. */
export const recordDebts = async (
  root: string,
  unstable: readonly FailedFile[],
): Promise<readonly Debt[]> => {
  const day = new Date().toISOString().slice(0, 10)
  const debts = addDebts(readDebts(root), unstable, day)
  if (unstable.length > 0) await writeFile(pathIn(root), `${JSON.stringify(debts, null, 2)}\n`)
  return debts.filter(({ times }) => times >= mostTimes)
}

/** A release is made of tests that decide by themselves. */
export const assertNoDebts = (root: string): void => {
  const names = readDebts(root).map(({ test }) => test)
  if (names.length > 0) throw new Error(`Cure these unstable tests before a release:\n${names.join('\n')}`)
}
