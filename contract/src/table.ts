import { honoursIdempotencyKey, memberRoleOf } from './deduce.ts'
import type { Access, Answer, Body, Operation } from './operation.ts'
import { operations } from './operations/index.ts'
import type { MemberRole, Method } from './vocabulary.ts'

/** What a client needs of an operation to call it, and to know whether its user may. Absent fields are false. */
export type OperationEntry = {
  readonly method: Method
  readonly path: string
  readonly access: Access
  readonly answer: Answer['kind']
  readonly body?: Body['kind'] | undefined
  /** The status of a redirect, which is an answer and no error. */
  readonly redirect?: number | undefined
  /** It can be sent twice with the effect of once. */
  readonly repeatable?: true | undefined
  /** It honours an Idempotency-Key. */
  readonly keyed?: true | undefined
  readonly company?: 'required' | 'optional' | undefined
  /** The minimum role of a member. */
  readonly role?: MemberRole | undefined
  readonly admin?: true | undefined
  readonly orOperator?: true | undefined
  readonly liveGate?: true | undefined
}

const entryOf = (operation: Operation): OperationEntry => ({
  method: operation.method,
  path: operation.path,
  access: operation.access,
  answer: operation.answer.kind,
  body: operation.body?.kind,
  redirect: operation.answer.kind === 'redirect' ? operation.answer.status : undefined,
  repeatable: isRepeatable(operation) ? true : undefined,
  keyed: honoursIdempotencyKey(operation) ? true : undefined,
  company: operation.company,
  role: memberRoleOf(operation),
  admin: operation.admin,
  orOperator: operation.orOperator,
  liveGate: operation.liveGate,
})

const isRepeatable = ({ method, idempotency }: Operation): boolean =>
  ['GET', 'PUT'].includes(method) || idempotency === 'repeatable'

/** The source of `operation-table.ts`: without schemas and sentences, so that it is small in a browser. */
export const tableSource = (): string =>
  [
    '// Generated from the operations by script/dump.',
    "import type { OperationName } from './operations/index.ts'",
    "import type { OperationEntry } from './table.ts'",
    '',
    'export const operationTable: Readonly<Record<OperationName, OperationEntry>> = {',
    ...Object.entries<Operation>(operations).map(
      ([name, operation]) => `  ${name}: ${JSON.stringify(entryOf(operation))},`,
    ),
    '}',
    '',
  ].join('\n')
