import type { Mode } from '@millseal/contract'
import type { GivenReason } from '@millseal/contract/reason-words'
import type { Finding } from '../../../api/findings.ts'

export const fileStates = [
  'added',
  'unreadable',
  'repeated',
  'invalid',
  'valid',
  'doubtful',
  'queued',
  'sent',
  'waiting',
  'recorded',
  'failed',
] as const
export type FileState = (typeof fileStates)[number]

/** The refusal of the server, in a form that can be stored. */
export type Fault = {
  readonly code: string | undefined
  readonly message: string
  /** Those of the message, if it is stored with the certificate and not in the catalogue of errors. */
  readonly reasons?: readonly GivenReason[]
  /** Absent if an older console stored it. */
  readonly findings?: readonly Finding[]
  readonly requestId: string | undefined
}

/** The reason if a file is not JSON or not a certificate. */
export type Unreadable = {
  readonly kind: 'json' | 'list' | 'certificate' | 'pdf' | 'picture'
  readonly reason?: string
  readonly because?: GivenReason
}

/** The owner of stored files: a person, in a company and a mode. */
export type Owner = { readonly user: string; readonly company: string; readonly mode: Mode }

/** A file on its way to the ledger. It is stored after every step, so that a closed tab loses nothing. */
export type Entry = {
  readonly id: string
  readonly owner: string
  /** Increases with every change; the version with the greater one counts. */
  readonly revision: number
  readonly addedAt: number
  readonly order: number
  readonly name: string
  /** Absent once the certificate is recorded for this company, because nothing needs it then. */
  readonly bytes?: Blob
  readonly state: FileState
  readonly number?: string
  /** The hash of the canonical JSON, which tells certificates apart. */
  readonly hash?: string
  readonly unreadable?: Unreadable
  /** The findings of an invalid certificate, or the reason of a failed one. */
  readonly fault?: Fault
  /** They do not make it invalid. */
  readonly warnings?: readonly Finding[]
  /** Statements of a doubtful certificate that do not fit together. */
  readonly doubts?: readonly Finding[]
  /** The addresses of the receivers. Absent if an older console checked it. */
  readonly addresses?: readonly string[] | undefined
  /** Somebody has read the doubts, and wants it notarized all the same. */
  readonly isAccepted?: boolean
  readonly sameAs?: string
  readonly identity?: string
  /** Stored before the certificate is sent, so that the server performs a repeated request only once. */
  readonly idempotencyKey?: string
  /** The certificate at the service. */
  readonly certificate?: string
  readonly acceptedAt?: string
  readonly wasThere?: true
  readonly isElsewhere?: true
  /** The company that was first, and when. */
  readonly issuer?: { readonly name: string | undefined; readonly time: string }
  /** Wanted although another company was first. */
  readonly isOwn?: true
}

export const ownerKeyOf = ({ user, company, mode }: Owner): string => `${user}/${company}/${mode}`
