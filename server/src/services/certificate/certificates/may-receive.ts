import type { CertificateDependencies } from '../dependencies.ts'

/**
 * In both modes: before the review, anybody could have entered the VAT id of another company, and test events go to
 * companies that are not reviewed.
 */
export const mayReceive = async (
  { users, database }: CertificateDependencies,
  companyId: string,
): Promise<boolean> => (await users.findVerifications(database.query, [companyId])).has(companyId)
