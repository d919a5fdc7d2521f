import { writeCorpus } from '../../../tooling/src/write-corpus.ts'

/** Writes the differential corpus of docs/bundle.md into a folder: node lab/src/verifiers/write-corpus.ts <folder>. */
await writeCorpus(process.argv[2] ?? 'corpus')
