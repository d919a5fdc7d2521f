import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { corpus } from '../../../proof/src/vectors/corpus.fixture.ts'

/** Writes the differential corpus of docs/bundle.md into a folder: node lab/src/verifiers/write-corpus.ts <folder>. */
const [folder = 'corpus'] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
for (const [group, list] of Object.entries(await corpus())) {
  await writeFile(join(folder, `${group}.json`), JSON.stringify(list))
}
