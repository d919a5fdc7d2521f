import { type MemberRole, type Mode, memberRoleOf, type Operation, operations } from '@millseal/contract'
import { authorize, type Standing } from '../src/http/authorize.ts'
import type { MachinePrincipal, Principal, UserPrincipal } from '../src/http/principal.ts'
import { Problem } from '../src/lib/problem.ts'

export type Caller = {
  readonly name: string
  readonly principal: Principal | undefined
  /** As a member of the company the call is about; a machine belongs to it by its token. */
  readonly role?: MemberRole
}

const home = '0198c0de-0000-7000-8000-00000000000a'
const elsewhere = '0198c0de-0000-7000-8000-00000000000b'

const person = (differences: Partial<UserPrincipal> = {}): UserPrincipal => ({
  kind: 'user',
  id: '0198c0de-0000-7000-8000-000000000001',
  username: 'somebody',
  email: 'somebody@example.com',
  role: 'USER',
  sessionId: '0198c0de-0000-7000-8000-000000000002',
  tokenId: '0198c0de-0000-7000-8000-000000000003',
  sessionStartedAtMs: 0,
  signedInAtMs: 0,
  hasMfa: true,
  ...differences,
})

const all = Object.values<Operation>(operations)
const everyScope = new Set(
  all.flatMap(({ scope = [] }) => scope.map(({ resource, action }) => `${resource}:${action}`)),
)

const machine = (differences: Partial<MachinePrincipal> = {}): MachinePrincipal => ({
  kind: 'application',
  id: '0198c0de-0000-7000-8000-000000000004',
  companyId: home,
  mode: 'test',
  scopes: everyScope,
  tokenId: '0198c0de-0000-7000-8000-000000000005',
  ...differences,
})

export const callers: readonly Caller[] = [
  { name: 'nobody', principal: undefined },
  { name: 'admin', principal: person(), role: 'admin' },
  { name: 'operator', principal: person(), role: 'operator' },
  { name: 'reader', principal: person(), role: 'read_only' },
  { name: 'admin, no MFA', principal: person({ hasMfa: false }), role: 'admin' },
  { name: 'outsider', principal: person() },
  { name: 'platform', principal: person({ role: 'ADMIN' }) },
  { name: 'app test', principal: machine() },
  { name: 'app live', principal: machine({ mode: 'live' }) },
  { name: 'app, no scope', principal: machine({ scopes: new Set() }) },
  { name: 'app elsewhere', principal: machine({ companyId: elsewhere }) },
  { name: 'long-lived', principal: machine({ kind: 'accesstoken' }) },
]

export type Situation = { readonly operation: Operation; readonly mode: Mode; readonly verified: boolean }

/** `yes`, or the code of what stands in the way. */
export const judge = ({ principal, role }: Caller, { operation, mode, verified }: Situation): string => {
  const isAboutCompany =
    operation.company !== undefined ||
    memberRoleOf(operation) !== undefined ||
    operation.id === 'companies.read'
  const standing: Standing | undefined = isAboutCompany ? { companyId: home, verified, role } : undefined
  try {
    authorize({ operation, principal, standing, mode: operation.mode === undefined ? undefined : mode })
    return 'yes'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

export const operationsInOrder: readonly Operation[] = all

/** Who may do what, as a page: what the code decides, not what somebody wrote about it. */
export const authorizationPage = (): string => {
  const situations = (['test', 'live'] as const).map((mode) => ({ mode, verified: true }))
  const rows = all.flatMap((operation) =>
    (operation.mode === undefined ? situations.slice(0, 1) : situations).map((situation) => [
      operation.id,
      operation.mode === undefined ? '–' : situation.mode,
      ...callers.map((caller) => judge(caller, { operation, ...situation })),
    ]),
  )
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    '# Who may do what',
    '',
    'Written by `script/dump` from the code that decides (`server/src/http/authorize.ts`); CI compares. The callers:',
    'members of the company by role, an outsider, an operator of the platform, and machine tokens with every scope, with',
    'none, and of another company. The company is verified. A code is the error of the catalogue that stands in the way.',
    '',
    line(['operation', 'mode', ...callers.map(({ name }) => name)]),
    line(['---', '---', ...callers.map(() => '---')]),
    ...rows.map(line),
    '',
  ].join('\n')
}
