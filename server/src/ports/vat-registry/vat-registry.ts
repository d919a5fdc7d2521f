import type { RegisterNumber } from '../../lib/vat/check-vat-id.ts'

/** What a register says of a place. It writes free text; what could not be told apart stands in `street`. */
export type RegisteredAddress = {
  /** As the register wrote it, line by line. */
  readonly text: string
  readonly street: string
  /** Empty where the text does not tell. */
  readonly city: string
  /** Empty where the text does not tell. */
  readonly zipCode: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

export type UnknownReason =
  /** Not a number of this register: another country, or nothing it could be asked for. */
  | 'not_covered'
  /** This installation asks nobody. */
  | 'offline'
  /** The register, or the part of it that a country runs, is down or out of reach. */
  | 'unavailable'
  | 'timeout'
  /** Too many questions at once, ours or those of others. */
  | 'busy'
  /** The register answers, but not this question or not us. */
  | 'refused'
  | 'malformed_answer'

export type VatAnswer =
  | {
      readonly status: 'registered'
      /** Absent where the country keeps it back. */
      readonly name?: string
      /** Absent where the country keeps it back. */
      readonly address?: RegisteredAddress
      /** The register can prove with it that it was asked. */
      readonly requestId?: string
      readonly checkedAt: Date
    }
  | { readonly status: 'not_registered'; readonly checkedAt: Date }
  | {
      readonly status: 'unknown'
      readonly reason: UnknownReason
      /** A code for operators, of A-Z, 0-9, blank, underscore and dash only. */
      readonly detail?: string
      readonly retryAfterSeconds: number
    }

/**
 * Asks whether a VAT number exists.
 *
 * Every trouble of the register is the answer `unknown`, never a rejection and never one of the other two: only a
 * register that was asked for exactly this number, and answered completely, makes `registered` or `not_registered`.
 * `unknown` says nothing of the number, so nobody is verified and nobody rejected by it; ask again after
 * `retryAfterSeconds`. A call ends by the deadline of the adapter, or rejects with the reason of the signal once that
 * aborts. No answer tells what was asked, and texts in it come from strangers: bounded, without control characters, not escaped.
 */
export interface VatRegistry {
  lookUp(vat: RegisterNumber, signal: AbortSignal): Promise<VatAnswer>
}
