import type { Mode } from '@millseal/contract'
import type { Reason } from '@millseal/contract/reasons'
import { ExplainedError } from '../../lib/explained-error.ts'

/** Who sealed a PDF, and how. The times are RFC 3339 in UTC. */
export type AppliedSeal = {
  /** As the certificate of the seal names them. */
  readonly signer: string
  readonly issuer: string
  readonly sealedAt: string
  /** Of PAdES: without or with a time stamp. */
  readonly level: 'B-B' | 'B-T'
  /** What the time stamp says. */
  readonly stamped?: { readonly before: string; readonly authority: string } | undefined
}

/** The hole that a PDF to be sealed must have. */
export type Hole = { readonly signer: string; readonly at: string; readonly bytes: number }

export interface Sealer {
  /** Throws `SealImpossible` if the certificate is not valid now. */
  openHole(): Hole
  /**
   * Fills the hole. Nothing is stored: a caller that fails afterwards seals a new PDF. An authority for time stamps that does
   * not answer lowers the level. Throws `SealImpossible`, or `VaultUnavailable` if the key cannot be reached, which can be tried
   * again.
   */
  seal(
    pdf: Uint8Array,
    hole: Hole,
    signal: AbortSignal,
  ): Promise<{ readonly pdf: Uint8Array; readonly seal: AppliedSeal }>
}

export interface Seals {
  /** Undefined if the PDFs of this company are not sealed in this mode. */
  find(of: { readonly companyId: string; readonly mode: Mode }): Sealer | undefined
}

/** Sealing again cannot help: the operator must change what is configured. */
export class SealImpossible extends ExplainedError {
  override readonly name = 'SealImpossible'
  override readonly because: Reason

  constructor(because: Reason) {
    super(because)
    this.because = because
  }
}
