import type { CheckResult } from '@millseal/contract/vocabulary'
import type { JsonValue } from '@millseal/proof'
import { heatsOf } from '../certificate/heats.ts'
import { type Certificate, isObject } from '../certificate/read-certificate.ts'
import { shown, textAt } from '../certificate/shown.ts'
import { summarize } from '../certificate/summarize.ts'
import type { Fact } from '../facts/fact.ts'
import { factsOf } from '../facts/facts-of.ts'
import { escapePointer } from '../registry/sub-schemas.ts'
import { checkDocument } from './check-document.ts'
import { checkRules, worstOf } from './check-requirement.ts'
import type { CheckLine } from './requirement.ts'
import type { ResolvedRequirement } from './resolve.ts'

export type CertificateCheck = {
  readonly verdict: CheckResult
  readonly lines: readonly CheckLine[]
}

/** Whether a certificate meets a requirement and those that it includes: the worst line is the verdict. */
export const checkCertificate = (
  certificate: Certificate,
  { requirements }: ResolvedRequirement,
): CertificateCheck => {
  const facts = factsOf(certificate)
  let json: JsonValue | undefined
  const valuesAt = (pointer: string): readonly Fact[] => {
    json ??= shown(certificate)
    return valuesOf(json, { pointer, of: pointer })
  }
  const described = {
    documentType: documentTypeOf(facts),
    orderNumber: summarize(certificate).orderNumber,
    heats: heatsIn(facts) ?? heatsOf(certificate),
  }
  const lines = requirements.flatMap((requirement) => [
    ...checkDocument(requirement, described),
    ...checkRules(requirement, { facts, valuesAt }),
  ])
  return { verdict: worstOf(lines), lines }
}

/** Those with results, or listed; undefined if there are none, so that batches count. */
const heatsIn = (facts: readonly Fact[]): readonly string[] | undefined => {
  const named = facts.flatMap(({ of, value, heat }) => (of === 'heat' ? value : (heat ?? [])))
  return named.length === 0 ? undefined : [...new Set(named)]
}

/** `EN 10204 3.1`, `EN10204:2004, 3.1`, `MaterialCertificate3.1`. */
const documentTypeOf = (facts: readonly Fact[]): string | undefined =>
  facts
    .filter(({ of }) => of === 'standard')
    .flatMap(({ value }) => /(?<![\d.])([23]\.[12])(?![\d.])/.exec(value)?.[1] ?? [])[0]

/** The texts and numbers at a pointer; `*` stands for every member or element. */
const valuesOf = (root: JsonValue, { pointer, of }: { pointer: string; of: string }): readonly Fact[] => {
  let places: readonly { readonly value: JsonValue; readonly pointer: string }[] = [
    { value: root, pointer: '' },
  ]
  for (const name of pointer.split('/').slice(1)) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    places = places.flatMap((place) =>
      (isObject(place.value) || Array.isArray(place.value) ? Object.entries(place.value) : []).flatMap(
        ([member, value]) =>
          name === '*' || member === key
            ? [{ value, pointer: `${place.pointer}/${escapePointer(member)}` }]
            : [],
      ),
    )
  }
  return places.flatMap((place) => {
    const value = textAt(place.value)
    return value === undefined ? [] : [{ of, value, pointer: place.pointer }]
  })
}
