import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { UserDependencies } from '../dependencies.ts'
import { createPasskey, createPasskeyOptions } from './create-passkey.ts'
import { deletePasskey } from './delete-passkey.ts'

export const passkeyRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createPasskeyOptions, createPasskeyOptions),
    bind(operations.createPasskey, createPasskey),
    bind(operations.deletePasskey, deletePasskey),
  ]
}
