import { encodeBase64 } from '../encoding/base64.ts'
import { utf8 } from '../encoding/bytes.ts'
import { type CorpusCase, files, jsonHash, pdfHash, type Vector } from './cases.fixture.ts'
import { alteredCases } from './altered.corpus.fixture.ts'
import { certificateCases } from './certificates.corpus.fixture.ts'
import { keyCases } from './keys.corpus.fixture.ts'
import { lyingCases } from './lying-logs.corpus.fixture.ts'
import { policy2Cases } from './policies-2.corpus.fixture.ts'
import { policyCases } from './policies.corpus.fixture.ts'
import { reviewCases } from './reviews.corpus.fixture.ts'
import { textCases } from './texts.corpus.fixture.ts'
import { vectors } from './vectors.fixture.ts'

/** The differential corpus: what docs/bundle.md decides about each file. Every verifier must give exactly these verdicts. */
export const corpus = async (): Promise<Readonly<Record<string, readonly CorpusCase[]>>> => {
  const all = await vectors()
  const named = (name: string): Vector => {
    const found = Object.values(all)
      .flat()
      .find((vector) => vector.name === name)
    if (found === undefined) throw new Error(`There is no vector "${name}"`)
    return found
  }
  const groups: Readonly<Record<string, readonly CorpusCase[]>> = {
    vectors: Object.values(all).flat(),
    altered: [
      'a reviewed issuer, PDF',
      'a log that continues another',
      'replaced, then withdrawn',
      'key revoked by its recovery key',
      'withdrawn by the operator after the key was revoked',
    ].flatMap((name) => alteredCases(named(name))),
    texts: textCases(named('a reviewed issuer, JSON')),
    policies: [...policyCases(named('a reviewed issuer, JSON')), ...(await keyCases())],
    'policies-2': policy2Cases(named('held by a quorum of nodes')),
    certificates: await certificateCases(),
    'lying-logs': await lyingCases(),
    reviews: await reviewCases(),
  }
  return Object.fromEntries(Object.entries(groups).map(([group, list]) => [group, list.map(withBytes)]))
}

const hashes: Readonly<Record<string, string>> = { [jsonHash]: files.json, [pdfHash]: files.pdf }

/** Gives the file itself if its hash is that of a file, so that a verifier reads it. */
const withBytes = (one: CorpusCase): CorpusCase => {
  if ('bytes' in one.file) return one
  const { kind, hash } = one.file
  const text = hashes[hash]
  const isOfKind = text !== undefined && kind === (hash === jsonHash ? 'json' : 'pdf')
  return isOfKind ? { ...one, file: { bytes: encodeBase64(utf8(text)) } } : one
}
