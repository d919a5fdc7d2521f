import { type Operation, operations } from '@millseal/contract'
import type { MachinePrincipal, UserPrincipal } from '../src/http/principal.ts'

export const sampleCompanyId = '0198c0de-0000-7000-8000-00000000000a'
export const otherCompanyId = '0198c0de-0000-7000-8000-00000000000b'

export const samplePerson = (differences: Partial<UserPrincipal> = {}): UserPrincipal => ({
  kind: 'user',
  id: '0198c0de-0000-7000-8000-000000000001',
  username: 'somebody',
  email: 'somebody@example.com',
  role: 'USER',
  sessionId: '0198c0de-0000-7000-8000-000000000002',
  tokenId: '0198c0de-0000-7000-8000-000000000003',
  sessionStartedAtMs: 0,
  signedInAtMs: 0,
  acr: '2fa',
  factorAtMs: 0,
  hasMfa: true,
  ...differences,
})

const everyScope = new Set(
  Object.values<Operation>(operations).flatMap(({ scope = [] }) =>
    scope.map(({ resource, action }) => `${resource}:${action}`),
  ),
)

export const sampleMachine = (differences: Partial<MachinePrincipal> = {}): MachinePrincipal => ({
  kind: 'application',
  id: '0198c0de-0000-7000-8000-000000000004',
  companyId: sampleCompanyId,
  mode: 'test',
  scopes: everyScope,
  tokenId: '0198c0de-0000-7000-8000-000000000005',
  ...differences,
})
