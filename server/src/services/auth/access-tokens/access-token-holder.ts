import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { UserService } from '../../user/index.ts'
import { findRecordOfToken } from './access-tokens.store.ts'
import type { FindHolder } from '../authenticate.ts'
import { scopePairs } from '../scopes.ts'

type Dependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly users: Pick<UserService, 'isActiveMember'>
}

/** A long-lived token counts while its record names it and whoever made it still belongs to the company. */
export const accessTokenHolder =
  ({ database, clock, users }: Dependencies): FindHolder =>
  async ({ subject, tokenId }) => {
    const record = await findRecordOfToken(database.query, { id: subject, tokenId }, new Date(clock.now()))
    if (record === undefined || !(await users.isActiveMember(record))) return undefined
    return {
      kind: 'accesstoken',
      id: record.id,
      companyId: record.companyId,
      mode: record.mode,
      scopes: scopePairs(record.scopes),
      tokenId,
    }
  }
