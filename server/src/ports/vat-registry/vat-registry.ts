import type { RegisterNumber } from '../../lib/vat/check-vat-id.ts'

/** The address in a register. It is free text; parts that could not be recognized are in `street`. */
export type RegisteredAddress = {
  /** The unchanged text, line by line. */
  readonly text: string
  readonly street: string
  /** Empty if unknown. */
  readonly city: string
  /** Empty if unknown. */
  readonly zipCode: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

export type UnknownReason =
  /** Not a number of this register: another country, or not a number at all. */
  | 'not_covered'
  /** This installation sends no requests. */
  | 'offline'
  /** The register, or the part of it that a country runs, is down or unreachable. */
  | 'unavailable'
  | 'timeout'
  /** Too many requests at once, from us or from others. */
  | 'busy'
  /** The register refuses this request, or us. */
  | 'refused'
  | 'malformed_answer'

export type VatAnswer =
  | {
      readonly status: 'registered'
      /** Missing if the country does not publish it. */
      readonly name?: string
      /** Missing if the country does not publish it. */
      readonly address?: RegisteredAddress
      /** Proves the consultation of the register. */
      readonly requestId?: string
      readonly checkedAt: Date
    }
  | { readonly status: 'not_registered'; readonly checkedAt: Date }
  | {
      readonly status: 'unknown'
      readonly reason: UnknownReason
      /** A code for operators. Contains only A-Z, 0-9, space, underscore and dash. */
      readonly detail?: string
      readonly retryAfterSeconds: number
    }

/**
 * Asks whether a VAT number exists.
 *
 * Every failure of the register gives the answer `unknown`, never a rejection and never one of the other two answers. Only a
 * complete answer of the register about exactly this number gives `registered` or `not_registered`. `unknown` says nothing
 * about the number: do not verify or reject anyone because of it, and ask again after `retryAfterSeconds`. A call ends by
 * the deadline of the adapter, or rejects with the reason of the signal if that aborts. An answer does not contain the
 * request. Its texts are untrusted: limited in length and without control characters, but not escaped.
 */
export interface VatRegistry {
  lookUp(vat: RegisterNumber, signal: AbortSignal): Promise<VatAnswer>
}
