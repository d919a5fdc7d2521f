import { because, type Reason } from '@millseal/contract/reasons'
import type { Fact } from '../facts/fact.ts'

/** What a certificate says that does not fit together. Never a reason to reject it: the issuer may know why. */
export type SelfCheckFinding = {
  readonly weight: 'outside_own_limits' | 'does_not_add_up'
  readonly heat: string | undefined
  /** As `Fact.of`. */
  readonly property: string
  /** What the certificate prints, and what it does not fit to. */
  readonly printed: string
  readonly against: string
  readonly pointer: string
  /** Its code names the rule, its words are the sentence. */
  readonly reason: Reason
}

const longest = 80

/** Text of a certificate in a sentence. */
export const quoted = (text: string): string => (text.length > longest ? `${text.slice(0, longest)} …` : text)

export const listed = (texts: readonly string[]): string => {
  const shown = texts.slice(0, 12).map(quoted).join(', ')
  return texts.length > 12 ? `${shown} …` : shown
}

/** `0.030 %`; a number without a unit stays alone. */
export const withUnit = (value: string, unit: string | undefined): string =>
  quoted(unit === undefined || unit === '1' ? value : `${value} ${unit}`)

export const aboutHeat = (heat: string | undefined): Reason | string =>
  heat === undefined ? '' : because('about_heat', { heat: quoted(heat) })

const words = new Map<string, Reason>([
  ['yield strength', because('property_yield_strength')],
  ['elongation', because('property_elongation')],
  ['hardness', because('property_hardness')],
  ['mass', because('property_mass')],
  ['theoretical mass', because('property_theoretical_mass')],
])

export const named = ({ of }: Fact): Reason | string => words.get(of) ?? quoted(of)

/** Facts with the same key, in the order of the first ones. */
export const grouped = (
  facts: readonly Fact[],
  keyOf: (fact: Fact) => readonly (string | undefined)[],
): readonly (readonly [Fact, ...Fact[]])[] => {
  const groups = new Map<string, [Fact, ...Fact[]]>()
  for (const fact of facts) {
    const key = JSON.stringify(keyOf(fact).map((part) => part ?? null))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [fact])
    else group.push(fact)
  }
  return [...groups.values()]
}
