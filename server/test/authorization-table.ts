import { type MemberRole, type Mode, type Operation, operations } from '@millseal/contract'
import { operatorStanding } from '../src/http/access.ts'
import { authorize } from '../src/http/authorize.ts'
import type { Principal } from '../src/http/principal.ts'
import { Problem } from '../src/lib/problem.ts'
import { otherCompanyId, sampleCompanyId, sampleMachine, samplePerson } from './sample-principals.ts'

export type Caller = {
  readonly name: string
  readonly principal: Principal | undefined
  /** The role in the company of the call. A machine belongs to the company of its token. */
  readonly role?: MemberRole
}

const all = Object.values<Operation>(operations)

/** A session that was opened without the second factor that the account has. */
const oneFactor = { acr: '1fa', factorAtMs: undefined } as const

export const callers: readonly Caller[] = [
  { name: 'no token', principal: undefined },
  { name: 'admin', principal: samplePerson(), role: 'admin' },
  { name: 'approver', principal: samplePerson(), role: 'approver' },
  { name: 'clerk', principal: samplePerson(), role: 'clerk' },
  { name: 'operator', principal: samplePerson(), role: 'operator' },
  { name: 'reader', principal: samplePerson(), role: 'read_only' },
  { name: 'admin, no MFA', principal: samplePerson({ ...oneFactor, hasMfa: false }), role: 'admin' },
  { name: 'admin, one factor', principal: samplePerson(oneFactor), role: 'admin' },
  { name: 'outsider', principal: samplePerson() },
  { name: 'platform', principal: samplePerson({ role: 'ADMIN' }) },
  { name: 'platform, one factor', principal: samplePerson({ role: 'ADMIN', ...oneFactor }) },
  { name: 'app test', principal: sampleMachine() },
  { name: 'app live', principal: sampleMachine({ mode: 'live' }) },
  { name: 'app, no scope', principal: sampleMachine({ scopes: new Set() }) },
  { name: 'app elsewhere', principal: sampleMachine({ companyId: otherCompanyId }) },
  { name: 'long-lived', principal: sampleMachine({ kind: 'accesstoken' }) },
]

export type Situation = { readonly operation: Operation; readonly mode: Mode; readonly verified: boolean }

/** `yes`, or the error code of the refusal. */
export const decide = ({ principal, role }: Caller, { operation, mode, verified }: Situation): string => {
  const withoutCompany = operatorStanding(operation, principal)
  const hasCompany =
    withoutCompany === undefined && (operation.company !== undefined || operation.companyInPath === true)
  try {
    authorize({
      operation,
      principal,
      companyId: hasCompany ? sampleCompanyId : undefined,
      standing: hasCompany ? { verified, role } : withoutCompany,
      mode: operation.mode === undefined ? undefined : mode,
      operatorsNeedMfa: true,
    })
    return 'yes'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

export const operationsInOrder: readonly Operation[] = all

/** The page docs/authorization.md, generated from the decisions of the code. */
export const authorizationPage = (): string => {
  const situations = (['test', 'live'] as const).map((mode) => ({ mode, verified: true }))
  const rows = all.flatMap((operation) =>
    (operation.mode === undefined ? situations.slice(0, 1) : situations).map((situation) => [
      operation.id,
      operation.mode === undefined ? '–' : situation.mode,
      ...callers.map((caller) => decide(caller, { operation, ...situation })),
    ]),
  )
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    '# Who may do what',
    '',
    '`script/dump` generates this page from the code that decides, `server/src/http/authorize.ts`; CI checks that it is',
    'current. The callers are members of the company by role, an outsider, an operator of the service, and machine tokens',
    'with all scopes, with none, and of another company. The company is verified. A code is the error of a refusal.',
    'Persons signed in with two factors, except: *no MFA* has an account without a second factor, and *one factor* has one,',
    'but opened this session without it.',
    '',
    line(['operation', 'mode', ...callers.map(({ name }) => name)]),
    line(['---', '---', ...callers.map(() => '---')]),
    ...rows.map(line),
    '',
  ].join('\n')
}
