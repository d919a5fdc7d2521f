import type { JsonValue } from '../json/read.ts'
import { valueAt } from '../json/value-at.ts'
import { alterationsOf } from './alterations.fixture.ts'
import type { Vector } from './cases.fixture.ts'
import type { CorpusCase } from './cases.fixture.ts'

/** Every alteration of one leaf of a bundle, with the verdict that docs/bundle.md gives for its place. */
export const alteredCases = (vector: Vector): CorpusCase[] =>
  alterationsOf(vector.bundle).map(({ at, bundle }, number) => {
    const path = at.split('/').slice(1)
    const [was, is] = [vector.bundle, bundle].map((whole) => valueAt(whole, path))
    const isWhole = isOfStep1(path, { was, is })
    const verdict = isWhole ? 'altered' : 'unchecked'
    return { ...vector, name: `${vector.name}: ${at} (${number})`, bundle, verdict }
  })

/** Whether the bundle still has its form, so that a signature, a hash or a path is what does not fit. */
const isOfStep1 = (
  path: readonly string[],
  { was, is }: { readonly [change in 'was' | 'is']: JsonValue | undefined },
): boolean => {
  const [part = '', , ...inside] = path
  if (path.indexOf('transaction') >= 0 && path.at(-1) !== 'transaction') return true
  const name = path.findLast((one) => !/^\d+$/.test(one))
  if (name === 'formatVersion' || name === 'status' || name === 'corrections') return false
  if (name === 'time') return is === undefined
  if (name === 'path') return typeof is === 'string' && isPath(is)
  if (name === 'entries') return inside.length < 2 || is === undefined || (typeof is === 'number' && is >= 0)
  if (name === 'index') return part !== 'corrections' && typeof is === 'number' && is >= 0
  return typeof is === typeof was
}

/** Written with what every JavaScript engine has, not with our own reader. */
const isPath = (text: string): boolean => {
  try {
    const bytes = atob(text)
    return btoa(bytes) === text && bytes.length % 32 === 0
  } catch {
    return false
  }
}
