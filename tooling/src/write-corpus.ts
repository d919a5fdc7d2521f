import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { corpus } from '../../proof/src/vectors/corpus.fixture.ts'

/** Writes the differential corpus of docs/bundle.md into a folder, and how many cases each file has into COUNTS. */
export const writeCorpus = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const groups = Object.entries(await corpus())
  for (const [group, list] of groups) await writeFile(join(folder, `${group}.json`), JSON.stringify(list))
  const counts = groups.map(([group, list]) => `${list.length}  ${group}.json\n`)
  const total = groups.reduce((sum, [, list]) => sum + list.length, 0)
  await writeFile(join(folder, 'COUNTS'), [...counts, `${total}  total\n`].join(''))
}
