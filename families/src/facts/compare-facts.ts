import type { Certificate } from '../certificate/read-certificate.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import type { Fact } from './fact.ts'
import { factsOf } from './facts-of.ts'

export type FactDifference = {
  readonly of: string
  readonly heat?: string
  /** With its unit; missing if only the other one says it. */
  readonly original?: string
  readonly here?: string
}

/** Which values differ between two certificates that should be the same, in the order of the original. */
export const compareFacts = (original: Certificate, here: Certificate): readonly FactDifference[] => {
  const [before, after] = [byKey(factsOf(original)), byKey(factsOf(here))]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [one, other] = [before.get(key), after.get(key)]
    const fact = one ?? other
    if (fact === undefined || shownOf(one) === shownOf(other)) return []
    return [withoutUndefined({ of: fact.of, heat: fact.heat, original: shownOf(one), here: shownOf(other) })]
  })
}

/** The values of the same property are told apart by heat, condition and place, then by their order. */
const byKey = (facts: readonly Fact[]): ReadonlyMap<string, Fact> => {
  const groups = Map.groupBy(facts, ({ of, heat, condition, place }) =>
    JSON.stringify([of, heat, condition, place]),
  )
  return new Map([...groups].flatMap(([key, group]) => group.map((fact, at) => [`${key} ${at}`, fact])))
}

const shownOf = (fact: Fact | undefined): string | undefined =>
  fact && [fact.operator, fact.value, fact.unit].filter((part) => part !== undefined).join(' ')
