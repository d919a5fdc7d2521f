// Breaks what rows of the scorecard promise, one at a time in a copy of the repository, and runs the tests of the row:
// script/sabotage. A row whose tests still pass proves nothing.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSharedPostgres } from '../../../server/test/shared-postgres.ts'
import { copyTree } from '../checkouts/copy-tree.ts'
import { type Lane, runTests } from '../mutants/mutant-run.ts'
import { proofsOf, readSabotages, type Sabotage, withFault } from './sabotages.ts'

const root = join(import.meta.dirname, '../../..')
/** A fault can cause an endless wait: silence for longer than this counts as noticed, if there is none without it. */
const silentMs = 240_000

const passes = async (lane: Lane, { file, test }: { file: string; test: string }): Promise<boolean> =>
  (await runTests({ ...lane, tests: [file], only: test, silentMs })).passed

const sabotage = async (
  lane: Lane,
  one: Sabotage,
): Promise<'caught' | 'not caught' | 'its tests fail without the fault, too'> => {
  const path = join(lane.folder, one.file)
  const source = readFileSync(path, 'utf8')
  for (const proof of proofsOf(one)) {
    if (!(await passes(lane, proof))) return 'its tests fail without the fault, too'
    writeFileSync(path, withFault(source, one))
    const survived = await passes(lane, proof)
    writeFileSync(path, source)
    if (!survived) return 'caught'
  }
  return 'not caught'
}

const sabotageAll = async (rows: readonly number[]): Promise<number> => {
  await using opened = new AsyncDisposableStack()
  const chosen = readSabotages(root).filter(({ row }) => rows.length === 0 || rows.includes(row))
  if (chosen.length === 0) {
    process.stderr.write(`lab/sabotage.json has none of these rows\n`)
    return 1
  }
  const home = await mkdtemp(join(tmpdir(), 'millseal-sabotage-'))
  opened.defer(() => rm(home, { recursive: true, force: true }))
  const postgres = opened.use(await startSharedPostgres())
  const folder = join(home, 'checkout')
  await copyTree(root, folder)
  let caught = 0
  for (const one of chosen) {
    const verdict = await sabotage({ folder, temporaryFolder: join(home, 'temporary'), postgres }, one)
    if (verdict === 'caught') caught += 1
    process.stdout.write(`${one.row}: ${verdict} (${one.file})\n`)
  }
  process.stdout.write(`${caught} of ${chosen.length} caught\n`)
  return caught === chosen.length ? 0 : 1
}

process.exitCode = await sabotageAll(process.argv.slice(2).map(Number))
