import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Id, oneOf } from '../shapes/common.ts'
import {
  Company,
  CompanyNameCheck,
  CompanyProposal,
  Countries,
  CreateCompany,
  CreateReview,
  Review,
  ReviewCase,
  ReviewEvidence,
  UpdateCompany,
} from '../shapes/companies.ts'
import { Wallet } from '../shapes/wallets.ts'
import { reviewStates } from '../vocabulary.ts'

const companies = { service: 'user-service', variant: 'both' } as const

const CompanyText = Type.Optional(
  Type.String({
    ...limits.searchText,
    description: 'Part of the name, the VAT id, or an e-mail address of the company or of a member',
  }),
)

export const createCompany = operation({
  ...companies,
  id: 'companies.create',
  method: 'POST',
  path: '/companies',
  summary: 'Create a company',
  description:
    'The user becomes the owner and first admin. A new company is not verified and can only use test mode.',
  access: 'user',
  scope: [{ resource: 'companies', action: 'create_one' }],
  body: { kind: 'json', schema: CreateCompany },
  answer: { kind: 'json', status: 201, schema: Company },
  errors: ['vat_id_invalid', 'company_exists', 'company_limit_reached'],
})

export const listCompanies = operation({
  ...companies,
  id: 'companies.list',
  method: 'GET',
  path: '/companies',
  summary: 'List the companies you can access',
  description:
    'Users get their own companies, applications get theirs, and operators of the service get all. The first page has the header `X-Total-Count`.',
  access: 'bearer',
  scope: [{ resource: 'companies', action: 'read_many' }],
  query: Type.Object({
    verified: Type.Optional(Type.Boolean()),
    review: Type.Optional(oneOf(reviewStates)),
    text: CompanyText,
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(Company) },
  list: true,
})

export const validateVatId = operation({
  ...companies,
  id: 'companies.validate',
  method: 'GET',
  path: '/companies/validate',
  summary: 'Look up a VAT id',
  description:
    'Returns the data of the VAT register in the form that creates a company. Fields that the register does not publish are empty. If the register is not available, all fields are empty; this does not mean that the VAT id is wrong.',
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
  summary: 'List country codes and names',
  access: 'bearer',
  answer: { kind: 'json', status: 200, schema: Countries },
})

export const readCompany = operation({
  ...companies,
  id: 'companies.read',
  method: 'GET',
  path: '/companies/{id}',
  summary: 'Read a company',
  description: 'An application can read its company with any scopes. Clients use this to test their token.',
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
  description: 'You cannot change the VAT id.',
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
  description: 'Returns the id. Entries on the ledger remain.',
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
  summary: 'Read the wallet of a company',
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
    'Stores the evidence, e-mails the decision to the company, and allows or forbids live mode. Rejecting a verified company takes its reviews back: the log records that they ended, and certificates from then on have no known issuer. A verified company that was deleted can be rejected, too.',
  access: 'user',
  scope: [{ resource: 'companies', action: 'confirm' }],
  admin: true,
  twoFactors: true,
  params: byId,
  body: { kind: 'json', schema: CreateReview },
  answer: { kind: 'json', status: 201, schema: Review },
  errors: ['mfa_required', 'similar_name'],
})

export const listReviews = operation({
  ...companies,
  variant: 'current',
  id: 'companies.list_reviews',
  method: 'GET',
  path: '/companies/{id}/reviews',
  summary: 'List the reviews of a company',
  access: 'user',
  scope: [{ resource: 'companies', action: 'read_one' }],
  memberRole: 'read_only',
  companyInPath: true,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Type.Array(Review) },
  list: true,
})

export const listReviewQueue = operation({
  ...companies,
  variant: 'current',
  id: 'companies.list_review_queue',
  method: 'GET',
  path: '/companies/review-queue',
  summary: 'List companies with everything a review needs',
  description:
    'Companies that nobody reviewed yet, unless `state` says otherwise. `evidence` is what the VAT id itself shows; the register is asked by `GET /companies/{id}/evidence`. The first page has the header `X-Total-Count`.',
  access: 'user',
  admin: true,
  query: Type.Object({ state: Type.Optional(oneOf(reviewStates)), text: CompanyText }),
  answer: { kind: 'json', status: 200, schema: Type.Array(ReviewCase) },
  list: true,
})

export const readEvidence = operation({
  ...companies,
  variant: 'current',
  id: 'companies.read_evidence',
  method: 'GET',
  path: '/companies/{id}/evidence',
  summary: 'Look up the VAT id of a company for a review',
  description:
    'The answer of the register can be a day old and is `unknown` if the register cannot answer. The review asks it again and stores the answer.',
  access: 'user',
  admin: true,
  params: byId,
  answer: { kind: 'json', status: 200, schema: ReviewEvidence },
})

export const checkCompanyName = operation({
  ...companies,
  variant: 'current',
  id: 'companies.check_name',
  method: 'GET',
  path: '/companies/{id}/name-check',
  summary: 'Compare the name of a company with those of others',
  description:
    'Letter case, accents, spaces, punctuation, the legal form and letters that look alike make no difference. A company with such a name is verified only with `acceptSimilarName`.',
  access: 'user',
  admin: true,
  params: byId,
  answer: { kind: 'json', status: 200, schema: CompanyNameCheck },
})
