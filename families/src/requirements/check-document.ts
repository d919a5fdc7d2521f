import type { Requirement } from '@millseal/contract/requirements'
import { because, type Reason } from '@millseal/contract/reasons'
import { listed, quoted } from '../self-check/finding.ts'
import type { CheckLine, LineOfRule } from './requirement.ts'

/** What a certificate says of itself. */
export type Described = {
  /** As EN 10204 names them: `3.1`. */
  readonly documentType: string | undefined
  readonly orderNumber: string | undefined
  readonly heats: readonly string[]
}

/** The type of the document, the order and the heats that a requirement accepts. */
export const checkDocument = (requirement: Requirement, described: Described): readonly CheckLine[] => {
  const { document, order, heats } = requirement
  const line = (
    of: string,
    property: Reason,
    given: { printed: string | undefined; allowed: readonly string[] },
  ) => accepted({ requirement: requirement.name, rule: `/${of}`, of }, property, given)
  return [
    ...(document === undefined
      ? []
      : [
          line('document', because('property_document'), {
            printed: described.documentType,
            allowed: document,
          }),
        ]),
    ...(order === undefined
      ? []
      : [line('order', because('property_order'), { printed: described.orderNumber, allowed: [order] })]),
    ...(heats === undefined
      ? []
      : heatsOr(described).map((heat) =>
          line('heats', because('property_heat'), { printed: heat, allowed: heats }),
        )),
  ]
}

/** A certificate that names no heat is missing one. */
const heatsOr = ({ heats }: Described): readonly (string | undefined)[] =>
  heats.length === 0 ? [undefined] : heats

export const accepted = (
  base: LineOfRule & { readonly pointer?: string | undefined },
  property: Reason,
  {
    printed,
    allowed,
    isSame = (one, other) => plain(one) === plain(other),
  }: {
    readonly printed: string | undefined
    readonly allowed: readonly string[]
    readonly isSame?: (allowed: string, printed: string) => boolean
  },
): CheckLine => {
  const limit = `one of ${listed(allowed)}`
  if (printed === undefined)
    return { ...base, result: 'missing', limit, reason: because('check_missing', { property, about: '' }) }
  const shown = { ...base, printed: quoted(printed), compared: quoted(printed), limit }
  if (allowed.some((one) => isSame(one, printed))) return { ...shown, result: 'pass' }
  const values = { property, value: quoted(printed), allowed: listed(allowed), about: '' }
  return { ...shown, result: 'fail', reason: because('check_not_one_of', values) }
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
