import type { Provider } from 'oidc-provider'
import type { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { createProvider } from './provider.ts'
import { ensureSecrets, type ProviderSecrets } from './secrets.ts'

export type OpenedProvider = {
  readonly provider: Provider
  readonly answer: ReturnType<Provider['callback']>
  readonly secrets: Secret<ProviderSecrets>
}
export type OpenProvider = () => Promise<OpenedProvider>

/** Loads the library at the first sign-in only: that takes a fifth of a second and 40 MB. */
export const openOnce = (deps: AuthDependencies): OpenProvider => {
  let opened: Promise<OpenedProvider> | undefined
  return () => {
    opened ??= openProvider(deps).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}

const openProvider = async (deps: AuthDependencies): Promise<OpenedProvider> => {
  const secrets = await ensureSecrets(deps)
  const provider = await createProvider(deps, { publicUrl: deps.publicUrl(), secrets })
  return { provider, answer: provider.callback(), secrets }
}
