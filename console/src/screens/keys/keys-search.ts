import type { Identity } from '@millseal/contract'
import { oneOf, type Read, textOf } from '../../ui/list/read-search.ts'

type Status = Identity['status']
const statuses: readonly Status[] = ['valid', 'obsolete', 'revoked']

/** The filters of the identities, as they are in the address. */
export type KeysSearch = {
  /** Part of the name or the DID. */
  readonly text?: string | undefined
  readonly status?: Status | undefined
}

export const readKeysSearch = (search: Read): KeysSearch => ({
  text: textOf(search['text']),
  status: oneOf(statuses, search['status']),
})
