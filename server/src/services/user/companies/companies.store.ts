import { type SqlBool, sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type StoredCompany = {
  readonly id: string
  readonly name: string
  readonly vatId: string
  readonly address: StoredAddress
  readonly emails: readonly string[]
  readonly websites: readonly string[]
  readonly accreditations: readonly string[]
  readonly ownerId: string
  readonly verifiedAt: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

type StoredAddress = {
  readonly id: string
  readonly country: string
  readonly street: string
  readonly city: string
  readonly zipCode: string
}

type CompanyRow = {
  id: string
  name: string
  vat_id: string
  address_id: string
  country: string
  street: string
  city: string
  zip_code: string
  emails: readonly string[]
  websites: readonly string[]
  accreditations: readonly string[]
  owner_id: string
  verified_at: Date | null
  created_at: Date
  updated_at: Date
}
type CompanyTables = { companies: CompanyRow; company_members: { company_id: string; user_id: string } }

export type NewCompany = Pick<StoredCompany, 'id' | 'name' | 'vatId' | 'address' | 'ownerId'>

/** Nothing when another company has this VAT id. */
export const insertCompany = async (
  tx: Query,
  { id, name, vatId, address, ownerId }: NewCompany,
  now: Date,
): Promise<StoredCompany | undefined> => {
  const row = await tx
    .withTables<CompanyTables>()
    .insertInto('companies')
    .values({
      id,
      name,
      vat_id: vatId,
      address_id: address.id,
      country: address.country,
      street: address.street,
      city: address.city,
      zip_code: address.zipCode,
      emails: [],
      websites: [],
      accreditations: [],
      owner_id: ownerId,
      verified_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('vat_id').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? undefined : toCompany(row)
}

export type CompanyFilter = {
  readonly id?: string
  readonly ids?: readonly string[]
  /** Only companies that one of these users belongs to. */
  readonly memberIds?: readonly string[]
  readonly vatIds?: readonly string[]
  readonly verified?: boolean
  readonly after?: string | undefined
  readonly limit?: number
}

/** Newest first. */
export const findCompanies = async (query: Query, filter: CompanyFilter): Promise<StoredCompany[]> => {
  const { id, ids, memberIds, vatIds, verified, after, limit } = filter
  const rows = await query
    .withTables<CompanyTables>()
    .selectFrom('companies as c')
    .selectAll('c')
    .$if(id !== undefined, (some) => some.where('c.id', '=', id ?? null))
    .$if(ids !== undefined, (some) => some.where('c.id', 'in', ids?.length === 0 ? [null] : [...(ids ?? [])]))
    .$if(memberIds !== undefined, (some) =>
      some.where(
        sql<SqlBool>`exists (select from company_members m where m.company_id = c.id and m.user_id = any(${[...(memberIds ?? [])]}::uuid[]))`,
      ),
    )
    .$if(vatIds !== undefined, (some) => some.where('c.vat_id', 'in', [...(vatIds ?? [])]))
    .$if(verified !== undefined, (some) =>
      some.where('c.verified_at', verified === true ? 'is not' : 'is', null),
    )
    .$if(after !== undefined, (some) => some.where('c.id', '<', after ?? null))
    .$if(limit !== undefined, (some) => some.limit(limit ?? 0))
    .orderBy('c.id', 'desc')
    .execute()
  return rows.map(toCompany)
}

/** Where a company wants mail: its own addresses, or else those of its active admins, longest-standing first. */
export const findContacts = async (query: Query, companyId: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ contacts: readonly string[] }>`
    select case when cardinality(c.emails) > 0 then c.emails else array(
      select u.email from company_members m join users u on u.id = m.user_id
      where m.company_id = c.id and m.role = 'admin' and u.status = 'active'
      order by m.since, m.user_id
    ) end as contacts from companies c where c.id = ${companyId}`.execute(query)
  return rows[0]?.contacts ?? []
}

/** Whoever changes a company or its members holds it first, so that two changes never pass each other. */
export const lockCompany = async (tx: Query, id: string): Promise<StoredCompany | undefined> => {
  const row = await tx
    .withTables<CompanyTables>()
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : toCompany(row)
}

export const saveCompany = async (
  tx: Query,
  company: Omit<StoredCompany, 'createdAt' | 'updatedAt'>,
  now: Date,
): Promise<void> => {
  await tx
    .withTables<CompanyTables>()
    .updateTable('companies')
    .set({
      name: company.name,
      street: company.address.street,
      city: company.address.city,
      zip_code: company.address.zipCode,
      emails: company.emails,
      websites: company.websites,
      accreditations: company.accreditations,
      owner_id: company.ownerId,
      verified_at: company.verifiedAt ?? null,
      updated_at: now,
    })
    .where('id', '=', company.id)
    .execute()
}

export const removeCompany = async (tx: Query, id: string): Promise<void> => {
  await tx.withTables<CompanyTables>().deleteFrom('companies').where('id', '=', id).execute()
}

const toCompany = (row: CompanyRow): StoredCompany => ({
  id: row.id,
  name: row.name,
  vatId: row.vat_id,
  address: {
    id: row.address_id,
    country: row.country,
    street: row.street,
    city: row.city,
    zipCode: row.zip_code,
  },
  emails: row.emails,
  websites: row.websites,
  accreditations: row.accreditations,
  ownerId: row.owner_id,
  verifiedAt: row.verified_at ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
