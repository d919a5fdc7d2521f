import type { Mode } from '@millseal/contract'

export const fileStates = [
  'added',
  'unreadable',
  'repeated',
  'invalid',
  'valid',
  'queued',
  'sent',
  'recorded',
  'failed',
] as const
export type FileState = (typeof fileStates)[number]

/** What the server said, in a form that can be stored. */
export type Fault = {
  readonly code: string | undefined
  readonly message: string
  readonly details: readonly string[]
  readonly requestId: string | undefined
}

/** Why a file is not JSON or no certificate. */
export type Unreadable = { readonly kind: 'json' | 'list' | 'certificate'; readonly reason?: string }

/** For whom files are kept: a person, in a company and a mode. */
export type Owner = { readonly user: string; readonly company: string; readonly mode: Mode }

/** A file on its way to the ledger. It is stored after every step, so that a closed tab loses nothing. */
export type Entry = {
  readonly id: string
  readonly owner: string
  /** Increases with every change: of two versions, the greater one counts. */
  readonly revision: number
  readonly addedAt: number
  readonly order: number
  readonly name: string
  /** Absent once the certificate is recorded, because nothing needs it any more. */
  readonly bytes?: Blob
  readonly state: FileState
  readonly number?: string
  /** Of the canonical JSON, which tells certificates apart. */
  readonly hash?: string
  readonly unreadable?: Unreadable
  /** Of an invalid certificate: what the server found. Of a failed one: why. */
  readonly fault?: Fault
  /** Remarks that do not make it invalid. */
  readonly remarks?: readonly string[]
  readonly sameAs?: string
  readonly identity?: string
  /** Stored before the certificate is sent: the server does the same request only once. */
  readonly idempotencyKey?: string
  /** The certificate of the service. */
  readonly certificate?: string
  readonly acceptedAt?: string
  readonly wasThere?: true
  readonly isElsewhere?: true
}

export const ownerKeyOf = ({ user, company, mode }: Owner): string => `${user}/${company}/${mode}`
