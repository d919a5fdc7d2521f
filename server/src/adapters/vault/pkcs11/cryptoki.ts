import type Pkcs11 from 'pkcs11js'
import { VaultUnavailable } from '../../../ports/vault/vault.ts'

export type Cryptoki = { readonly pkcs11: Pkcs11.PKCS11; readonly constants: typeof Pkcs11 }

/** Never retried automatically: tokens lock themselves after a few wrong PINs. */
export class PinRefused extends VaultUnavailable {}

/** Only for the signer process. Use synchronous calls: asynchronous ones crash some libraries. */
export const openCryptoki = async (module: string): Promise<Cryptoki> => {
  const constants = await loadBinding()
  const pkcs11 = new constants.PKCS11()
  try {
    pkcs11.load(module)
    pkcs11.C_Initialize()
  } catch (cause) {
    throw new VaultUnavailable(describeFailure(`The PKCS#11 module ${module} does not load`, cause), {
      cause,
    })
  }
  return { pkcs11, constants }
}

export const describeFailure = (what: string, cause: unknown): string => {
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
  return `${what}: ${line}`
}

const loadBinding = async (): Promise<typeof Pkcs11> => {
  try {
    const { default: binding } = await import('pkcs11js')
    return binding
  } catch (cause) {
    throw new VaultUnavailable(
      'pkcs11js is not built on this machine: npm rebuild pkcs11js --ignore-scripts=false',
      { cause },
    )
  }
}
