import type { Review } from '@millseal/contract'
import { checkVatId, type RegisterNumber, type VatCheck } from '../../../lib/vat/check-vat-id.ts'
import { vatRules } from '../../../lib/vat/rules.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { VatAnswer, VatRegistry } from '../../../ports/vat-registry/vat-registry.ts'

type Evidence = Review['evidence']

/** What cannot be determined is `unknown`, never `valid`. */
export const gatherEvidence = async (
  registry: VatRegistry,
  clock: Clock,
  { vatId, signal }: { readonly vatId: string; readonly signal: AbortSignal },
): Promise<Evidence> => {
  const check = checkVatId(vatId)
  const offline = offlineEvidence(vatId)
  if (check.status !== 'valid') return { ...offline, register: 'unknown' }
  const answer = await registry.lookUp(check.register, signal)
  return { ...offline, ...fromRegister(clock, answer) }
}

/** What can be said without the register. */
export const offlineEvidence = (vatId: string): Pick<Evidence, 'vatId' | 'format' | 'checkDigits'> => ({
  vatId,
  ...formOf(checkVatId(vatId)),
})

const formOf = (check: VatCheck): Pick<Evidence, 'format' | 'checkDigits'> =>
  check.status === 'valid'
    ? { format: 'valid', checkDigits: hasCheckDigits(check.register) ? 'valid' : 'unknown' }
    : forms[check.status]

const forms = {
  checksum: { format: 'valid', checkDigits: 'invalid' },
  malformed: { format: 'invalid', checkDigits: 'unknown' },
  country_unknown: { format: 'unknown', checkDigits: 'unknown' },
} as const

/** Some countries publish no check digits, or not for every kind of number; then only the format can be checked. */
const hasCheckDigits = ({ country, number }: RegisterNumber): boolean => {
  const fitting = (vatRules.get(country)?.forms ?? []).filter(({ pattern }) => pattern.test(number))
  return fitting.length > 0 && fitting.every(({ check }) => check !== undefined)
}

const fromRegister = (
  clock: Clock,
  answer: VatAnswer,
): Omit<Evidence, 'vatId' | 'format' | 'checkDigits'> => {
  if (answer.status === 'unknown') {
    const wasAsked = answer.reason !== 'offline' && answer.reason !== 'not_covered'
    return {
      register: 'unknown',
      checkedAt: wasAsked ? new Date(clock.now()).toISOString() : undefined,
    }
  }
  const checkedAt = answer.checkedAt.toISOString()
  if (answer.status === 'not_registered') return { register: 'invalid', checkedAt }
  const { name, address } = answer
  return { register: 'valid', registeredName: name, registeredAddress: address?.text, checkedAt }
}
