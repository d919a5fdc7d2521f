import type { EncryptedColumn } from '../ports/keystore/keystore.ts'

/** All columns encrypted with the master key, except the seeds of wallets, which the vault re-encrypts. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'mfa_factors', name: 'encrypted_secret', id: 'id' },
  { table: 'signing_keys', name: 'encrypted_private_jwk', id: 'id' },
  { table: 'oidc_secrets', name: 'encrypted_value', id: 'name' },
  { table: 'oidc_records', name: 'encrypted_payload', id: 'id_hash' },
  { table: 'mail_recipients', name: 'encrypted_token', id: 'id' },
  { table: 'hooks', name: 'encrypted_headers', id: 'id', part: 'headers' },
  { table: 'hooks', name: 'encrypted_secret', id: 'id', part: 'secret' },
  { table: 'hooks', name: 'encrypted_previous_secret', id: 'id', part: 'secret' },
  { table: 'ledger_logs', name: 'encrypted_key', id: 'mode' },
  { table: 'ledger_logs', name: 'encrypted_operator_key', id: 'mode', part: 'operator' },
]
