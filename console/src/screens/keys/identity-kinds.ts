import type { Identity } from '@millseal/contract'
import type { StateKind } from '../../ui/state.tsx'

export const identityKinds: Readonly<Record<Identity['status'], StateKind>> = {
  valid: 'good',
  obsolete: 'gone',
  revoked: 'bad',
}
