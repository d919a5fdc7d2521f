import type { Database } from '../../../ports/database/database.ts'
import { findApplicationOfToken } from './applications.store.ts'
import type { FindHolder } from '../authenticate.ts'
import { scopePairs } from '../scopes.ts'

/**
 * An application's token counts while its record names it. Company, mode and scopes are the record's, not the token's,
 * and the record goes with its company.
 */
export const applicationHolder =
  ({ database }: { readonly database: Database }): FindHolder =>
  async ({ subject, tokenId }) => {
    const application = await findApplicationOfToken(database.query, { id: subject, tokenId })
    return (
      application && {
        kind: 'application',
        id: application.id,
        companyId: application.companyId,
        mode: application.mode,
        scopes: scopePairs(application.scopes),
        tokenId,
      }
    )
  }
