import { type MemberRole, type Mode, memberRoleOf, type Operation, operations } from '@millseal/contract'
import { authorize, type Standing } from '../src/http/authorize.ts'
import type { Principal } from '../src/http/principal.ts'
import { Problem } from '../src/lib/problem.ts'
import { otherCompanyId, sampleCompanyId, sampleMachine, samplePerson } from './sample-principals.ts'

export type Caller = {
  readonly name: string
  readonly principal: Principal | undefined
  /** As a member of the company the call is about; a machine belongs to it by its token. */
  readonly role?: MemberRole
}

const all = Object.values<Operation>(operations)

export const callers: readonly Caller[] = [
  { name: 'nobody', principal: undefined },
  { name: 'admin', principal: samplePerson(), role: 'admin' },
  { name: 'operator', principal: samplePerson(), role: 'operator' },
  { name: 'reader', principal: samplePerson(), role: 'read_only' },
  { name: 'admin, no MFA', principal: samplePerson({ hasMfa: false }), role: 'admin' },
  { name: 'outsider', principal: samplePerson() },
  { name: 'platform', principal: samplePerson({ role: 'ADMIN' }) },
  { name: 'app test', principal: sampleMachine() },
  { name: 'app live', principal: sampleMachine({ mode: 'live' }) },
  { name: 'app, no scope', principal: sampleMachine({ scopes: new Set() }) },
  { name: 'app elsewhere', principal: sampleMachine({ companyId: otherCompanyId }) },
  { name: 'long-lived', principal: sampleMachine({ kind: 'accesstoken' }) },
]

export type Situation = { readonly operation: Operation; readonly mode: Mode; readonly verified: boolean }

/** Returns `yes`, or the code of the error that refuses the call. */
export const judge = ({ principal, role }: Caller, { operation, mode, verified }: Situation): string => {
  const isAboutCompany =
    operation.company !== undefined ||
    memberRoleOf(operation) !== undefined ||
    operation.id === 'companies.read'
  const standing: Standing | undefined = isAboutCompany
    ? { companyId: sampleCompanyId, verified, role }
    : undefined
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
    'none, and of another company. The company is verified. A code is the error that refuses the call.',
    '',
    line(['operation', 'mode', ...callers.map(({ name }) => name)]),
    line(['---', '---', ...callers.map(() => '---')]),
    ...rows.map(line),
    '',
  ].join('\n')
}
