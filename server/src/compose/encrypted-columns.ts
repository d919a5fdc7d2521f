import type { SealedPlace } from '../ports/keystore/keystore.ts'

/** All columns encrypted with the master key, except the seeds of wallets, which the vault re-encrypts. */
export const encryptedColumns: readonly SealedPlace[] = [
  { table: 'mfa_factors', id: 'id', column: 'sealed_secret' },
  { table: 'signing_keys', id: 'id', column: 'sealed_private_jwk' },
  { table: 'oidc_secrets', id: 'name', column: 'sealed' },
  { table: 'oidc_records', id: 'id_hash', column: 'sealed' },
  { table: 'hooks', id: 'id', column: 'sealed_headers', part: 'headers' },
  { table: 'hooks', id: 'id', column: 'sealed_secret', part: 'secret' },
  { table: 'hooks', id: 'id', column: 'sealed_previous_secret', part: 'secret' },
  { table: 'ledger_logs', id: 'mode', column: 'sealed_key' },
  { table: 'ledger_logs', id: 'mode', column: 'sealed_operator_key', part: 'operator' },
]
