import type { Clock } from '../../../ports/clock/clock.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import type { Vault } from '../../../ports/vault/vault.ts'
import { type KeyWrapper, wrapperKinds } from '../envelope.ts'
import { createSoftwareVault } from '../software-vault.ts'

/** Encrypts the roots of wallets with the master key of this installation. */
export const createLocalVault = ({
  keystore,
  clock,
}: {
  readonly keystore: Keystore
  readonly clock: Clock
}): Vault => createSoftwareVault({ wrapper: masterKeyWrapper(keystore), clock, check: () => {} })

export const masterKeyWrapper = (keystore: Keystore): KeyWrapper => ({
  kind: wrapperKinds.masterKey,
  wrap: keystore.encrypt,
  unwrap: keystore.decrypt,
  isCurrent: keystore.isCurrent,
})
