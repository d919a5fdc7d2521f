import type { Review } from '@millseal/contract'
import { checkVatId, type RegisterNumber, type VatCheck } from '../../../lib/vat/check-vat-id.ts'
import { vatRules } from '../../../lib/vat/rules.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { VatAnswer, VatRegistry } from '../../../ports/vat-registry/vat-registry.ts'

type Evidence = Review['evidence']

/** What can be known of a VAT id at this moment. What could not be found out is unknown, which is never valid. */
export const gatherEvidence = async (
  vatId: string,
  { vatRegistry, clock }: { vatRegistry: VatRegistry; clock: Clock },
  signal: AbortSignal,
): Promise<Evidence> => {
  const check = checkVatId(vatId)
  const offline = { vatId, ...formOf(check) }
  if (check.status !== 'valid') return { ...offline, register: 'unknown' }
  const answer = await vatRegistry.lookUp(check.register, signal)
  return { ...offline, ...fromRegister(answer, clock) }
}

const formOf = (check: VatCheck): Pick<Evidence, 'format' | 'checkDigits'> =>
  check.status === 'valid'
    ? { format: 'valid', checkDigits: hasCheckDigits(check.register) ? 'valid' : 'unknown' }
    : forms[check.status]

const forms = {
  checksum: { format: 'valid', checkDigits: 'invalid' },
  malformed: { format: 'invalid', checkDigits: 'unknown' },
  country_unknown: { format: 'unknown', checkDigits: 'unknown' },
} as const

/** Some countries publish none, or not for every kind of number: then fitting the format is all there is. */
const hasCheckDigits = ({ country, number }: RegisterNumber): boolean => {
  const fitting = (vatRules.get(country)?.forms ?? []).filter(({ pattern }) => pattern.test(number))
  return fitting.length > 0 && fitting.every(({ check }) => check !== undefined)
}

const fromRegister = (
  answer: VatAnswer,
  clock: Clock,
): Omit<Evidence, 'vatId' | 'format' | 'checkDigits'> => {
  if (answer.status === 'unknown') {
    const nobodyAsked = answer.reason === 'offline' || answer.reason === 'not_covered'
    return {
      register: 'unknown',
      ...(nobodyAsked ? {} : { checkedAt: new Date(clock.now()).toISOString() }),
    }
  }
  const checkedAt = answer.checkedAt.toISOString()
  if (answer.status === 'not_registered') return { register: 'invalid', checkedAt }
  return {
    register: 'valid',
    ...(answer.name === undefined ? {} : { registeredName: answer.name }),
    ...(answer.address === undefined ? {} : { registeredAddress: answer.address.text }),
    checkedAt,
  }
}
