import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Id } from '../shapes/common.ts'
import {
  Company,
  CompanyProposal,
  Countries,
  CreateCompany,
  CreateReview,
  Review,
  UpdateCompany,
} from '../shapes/companies.ts'
import { Wallet } from '../shapes/wallets.ts'

const companies = { service: 'user-service', variant: 'both' } as const

export const createCompany = operation({
  ...companies,
  id: 'companies.create',
  method: 'POST',
  path: '/companies',
  summary: 'Create a company',
  description: 'The user becomes its owner and first admin. It starts unverified, in test mode only.',
  access: 'user',
  scope: [{ resource: 'companies', action: 'create_one' }],
  body: { kind: 'json', schema: CreateCompany },
  answer: { kind: 'json', status: 201, schema: Company },
  errors: ['vat_id_invalid', 'company_exists'],
})

export const listCompanies = operation({
  ...companies,
  id: 'companies.list',
  method: 'GET',
  path: '/companies',
  summary: 'The companies within reach',
  description: "A person's own, an application's single one; operators of the platform see all, for review.",
  access: 'bearer',
  scope: [{ resource: 'companies', action: 'read_many' }],
  query: Type.Object({ verified: Type.Optional(Type.Boolean()) }),
  answer: { kind: 'json', status: 200, schema: Type.Array(Company) },
  list: true,
})

export const validateVatId = operation({
  ...companies,
  id: 'companies.validate',
  method: 'GET',
  path: '/companies/validate',
  summary: 'Look a VAT id up',
  description:
    'Answers what the VAT register knows, ready to create the company with. Fields it keeps back are empty; all are when it cannot be asked, which says nothing of the VAT id.',
  access: 'bearer',
  scope: [{ resource: 'companies', action: 'validate_one' }],
  query: Type.Object({ vatId: Type.String(limits.vatIdInput) }),
  answer: { kind: 'json', status: 200, schema: CompanyProposal },
  errors: ['vat_id_invalid'],
})

export const listCountries = operation({
  ...companies,
  id: 'companies.list_countries',
  method: 'GET',
  path: '/companies/countries',
  summary: 'Country codes and names',
  access: 'bearer',
  answer: { kind: 'json', status: 200, schema: Countries },
})

export const readCompany = operation({
  ...companies,
  id: 'companies.read',
  method: 'GET',
  path: '/companies/{id}',
  summary: 'Read a company',
  description:
    'An application may read its own company whatever its scopes: clients try their token this way.',
  access: 'bearer',
  action: { resource: 'companies', action: 'read_one' },
  companyInPath: true,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Company },
})

export const updateCompany = operation({
  ...companies,
  id: 'companies.update',
  method: 'PATCH',
  path: '/companies/{id}',
  summary: 'Change a company',
  description: 'The VAT id never changes.',
  access: 'bearer',
  scope: [{ resource: 'companies', action: 'update_one' }],
  memberRole: 'admin',
  companyInPath: true,
  params: byId,
  body: { kind: 'json', schema: UpdateCompany },
  answer: { kind: 'json', status: 200, schema: Company },
  errors: ['id_mismatch'],
})

export const deleteCompany = operation({
  ...companies,
  id: 'companies.delete',
  method: 'DELETE',
  path: '/companies/{id}',
  summary: 'Delete a company',
  description: 'Answers the id. What is on the ledger stays there.',
  access: 'bearer',
  scope: [{ resource: 'companies', action: 'delete_one' }],
  memberRole: 'admin',
  companyInPath: true,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Id },
  errors: ['step_up_required'],
})

export const readWalletOfCompany = operation({
  ...companies,
  id: 'companies.read_wallet',
  method: 'GET',
  path: '/companies/{id}/wallet',
  summary: 'The wallet of a company',
  access: 'bearer',
  scope: [{ resource: 'companies', action: 'read_one' }],
  memberRole: 'read_only',
  mode: 'query',
  liveGate: true,
  companyInPath: true,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Wallet },
  errors: ['invalid_mode'],
})

export const reviewCompany = operation({
  ...companies,
  variant: 'current',
  id: 'companies.review',
  method: 'POST',
  path: '/companies/{id}/review',
  summary: 'Verify or reject a company',
  description:
    'Keeps the evidence, mails the outcome to the company, and opens live resources or closes them again.',
  access: 'user',
  scope: [{ resource: 'companies', action: 'confirm' }],
  admin: true,
  params: byId,
  body: { kind: 'json', schema: CreateReview },
  answer: { kind: 'json', status: 201, schema: Review },
  errors: ['mfa_required'],
})

export const listReviews = operation({
  ...companies,
  variant: 'current',
  id: 'companies.list_reviews',
  method: 'GET',
  path: '/companies/{id}/reviews',
  summary: 'How a company was reviewed',
  access: 'user',
  scope: [{ resource: 'companies', action: 'read_one' }],
  memberRole: 'read_only',
  companyInPath: true,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Type.Array(Review) },
  list: true,
})
