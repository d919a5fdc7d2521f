import { randomBytes } from 'node:crypto'
import { createLocalKeystore } from '../src/adapters/keystore/local.ts'
import { createLocalVault } from '../src/adapters/vault/local/local.ts'
import { createPkcs11Vault } from '../src/adapters/vault/pkcs11/pkcs11.ts'
import type { TokenSettings } from '../src/adapters/vault/pkcs11/token.ts'
import { Secret } from '../src/lib/secret.ts'
import { uuidv7 } from '../src/lib/uuid.ts'
import { movableClock } from './movable-clock.ts'
import { silentLog } from './silent-log.ts'

const path = { coinType: 822, account: 0, change: 0, index: 0 }

/** Stops its signer, then itself when it waits for a signature, and says what became of that. Run by `stopped-caller.process.test.ts`. */
const begin = async (settings: TokenSettings): Promise<void> => {
  const keystore = createLocalKeystore(new Secret(randomBytes(32)))
  await using local = createLocalVault({ keystore, clock: movableClock() })
  await using vault = createPkcs11Vault({ settings, log: silentLog, keystore, local })
  const place = { walletId: uuidv7(Date.now()), mode: 'live' } as const
  const { encrypted } = await vault.create({ ...place, language: 'english' })
  const { signerPid = 0 } = vault
  process.kill(signerPid, 'SIGSTOP')
  const signing = vault.sign({ ...place, encrypted }, path, randomBytes(32)).then(
    ({ length }) => `a signature of ${length} bytes`,
    (error: unknown) => String(error),
  )
  process.send?.(signerPid, () => process.kill(process.pid, 'SIGSTOP'))
  const outcome = await signing
  process.send?.({ outcome, signerPid: vault.signerPid }, () => process.disconnect())
}

process.once('message', (settings: TokenSettings) => void begin(settings))
