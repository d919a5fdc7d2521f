import type { Transaction } from '../../ports/database/database.ts'
import { actorOf, type Caller } from './actor.ts'
import type { KmDependencies } from './dependencies.ts'

type OperatorChange = {
  readonly call: Caller
  /** As operations are called: `nodes.update` */
  readonly action: string
  readonly subject: string
  readonly details: object
}

export const recordOperatorChange = (
  { audit }: KmDependencies,
  tx: Transaction,
  { call, ...change }: OperatorChange,
): Promise<void> => audit.write(tx, { ...actorOf(call), ...change })
