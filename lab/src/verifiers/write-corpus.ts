import { writeCorpus } from '../../../proof/src/vectors/write-corpus.fixture.ts'

/** Writes the differential corpus of docs/bundle.md into a folder: node lab/src/verifiers/write-corpus.ts <folder>. */
await writeCorpus(process.argv[2] ?? 'corpus')
