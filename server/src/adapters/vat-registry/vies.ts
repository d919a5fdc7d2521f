import type { RegisterNumber } from '../../lib/vat/check-vat-id.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { VatAnswer, VatRegistry } from '../../ports/vat-registry/vat-registry.ts'
import { readAnswer, unknown } from './vies-answer.ts'
import { deadlineSignal } from '../../lib/deadline.ts'
import { fetchCodeOf, readBounded } from '../../lib/read-bounded.ts'

export type ViesOptions = {
  readonly clock: Clock
  /** The REST API, without the operation. */
  readonly url?: string
  /** For the whole call: connecting, waiting and reading. */
  readonly timeoutMs?: number
  /** The VAT number of the requester. With it, VIES returns a number that proves each consultation. */
  readonly requester?: RegisterNumber
}

const officialUrl = 'https://ec.europa.eu/taxation_customs/vies/rest-api'
const maxBytes = 64 * 1024
const members = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
)

/** The VAT register of the European Union, which forwards every request to the country of the number. */
export const createViesRegistry = (options: ViesOptions): VatRegistry => {
  const { clock, url = officialUrl, timeoutMs = 5_000, requester } = options

  const ask = async (asked: RegisterNumber, signal: AbortSignal): Promise<VatAnswer> => {
    const response = await fetch(`${url}/check-vat-number`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        countryCode: asked.country,
        vatNumber: asked.number,
        requesterMemberStateCode: requester?.country,
        requesterNumber: requester?.number,
      }),
      // A redirect would be an answer from a different server.
      redirect: 'manual',
      signal,
    })
    const bytes = await readBounded(response, maxBytes)
    if (bytes === undefined) return unknown('malformed_answer', 'TOO LARGE')
    return readAnswer(response.status, bytes.toString('utf8'), asked, new Date(clock.now()))
  }

  return {
    async lookUp(vat, signal) {
      signal.throwIfAborted()
      const asked = { country: vat.country === 'GR' ? 'EL' : vat.country, number: vat.number }
      if (!members.has(asked.country) || !/^[A-Z0-9+*]{2,12}$/.test(asked.number))
        return unknown('not_covered')
      const deadline = deadlineSignal(timeoutMs)
      try {
        return await ask(asked, AbortSignal.any([signal, deadline]))
      } catch (error) {
        signal.throwIfAborted()
        return deadline.aborted ? unknown('timeout') : unknown('unavailable', fetchCodeOf(error))
      }
    },
  }
}
