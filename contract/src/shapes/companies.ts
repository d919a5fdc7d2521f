import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  answersToFindings,
  fourEyesRules,
  memberRoles,
  reviewDecisions,
  reviewStates,
  similarCompanyStates,
} from '../vocabulary.ts'
import { Email, Id, input, listOf, oneOf, output, repeatedId, stored, Timestamp, Url } from './common.ts'
import { Address, User } from './people.ts'

const Country = Type.String({
  ...limits.country,
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166-1 alpha-2',
  examples: ['AT'],
})
const Name = Type.String(limits.companyName)
const Emails = listOf(Email, limits.emails.maxItems)
const Urls = listOf(Url, limits.urls.maxItems)
const OnFindings = oneOf(answersToFindings, {
  description:
    'refuse: no certificate is notarized in which something does not fit together, whatever a request says',
})

const FourEyes = oneOf(fourEyesRules, {
  description:
    'Whose certificates wait until another approver or admin releases them. people: those that members submit; everyone: those of applications as well. Only a person can change it, and needs two factors to let more pass',
})

export const CreateCompany = input('CreateCompanyDto', {
  name: Name,
  vatId: Type.String({ ...limits.vatId, examples: ['ATU74488404'] }),
  address: input('CreateAddressDto', {
    country: Country,
    street: Type.String(limits.street),
    city: Type.String(limits.city),
    zipCode: Type.String(limits.zipCode),
  }),
})
export type CreateCompany = Static<typeof CreateCompany>

/** Data for creating a company. The user fills in the empty fields. */
export const CompanyProposal = output('CompanyProposalDto', {
  name: Type.String(),
  vatId: Type.String(limits.vatId),
  address: output('AddressProposalDto', {
    country: Country,
    street: Type.String(),
    city: Type.String(),
    zipCode: Type.String(),
  }),
})
export type CompanyProposal = Static<typeof CompanyProposal>

export const UpdateCompany = input('UpdateCompanyDto', {
  ...repeatedId,
  name: Type.Optional(Name),
  emails: Type.Optional(Emails),
  websites: Type.Optional(Urls),
  accreditations: Type.Optional(Urls),
  onFindings: Type.Optional(OnFindings),
  fourEyes: Type.Optional(FourEyes),
  address: Type.Optional(
    input('UpdateAddressDto', {
      ...repeatedId,
      country: Type.Optional(Country),
      street: Type.Optional(Type.String(limits.street)),
      city: Type.Optional(Type.String(limits.city)),
      zipCode: Type.Optional(Type.String(limits.zipCode)),
    }),
  ),
})
export type UpdateCompany = Static<typeof UpdateCompany>

export const Company = output('CompanyDto', {
  ...stored,
  name: Name,
  address: Address,
  vatId: Type.String(limits.vatId),
  emails: Emails,
  websites: Urls,
  accreditations: Urls,
  onFindings: OnFindings,
  fourEyes: FourEyes,
  verified: Type.Boolean(),
  owner: User,
  members: Type.Array(User),
  wallets: Type.Array(Id, { description: 'Ids of the wallets, one per mode' }),
  transactions: Type.Array(Id, { description: 'Ids of the latest transactions' }),
})
export type Company = Static<typeof Company>

export const Countries = Type.Unsafe<Record<string, string>>({
  title: 'CountriesDto',
  type: 'object',
  description: 'Country names by ISO 3166-1 alpha-2 code',
  additionalProperties: { type: 'string' },
})

export const Member = output('MemberDto', {
  user: User,
  role: oneOf(memberRoles),
  since: Timestamp,
})
export type Member = Static<typeof Member>

export const AddMember = input('AddMemberDto', { email: Email, role: oneOf(memberRoles) })
export const UpdateMember = input('UpdateMemberDto', { role: oneOf(memberRoles) })
export const MemberByEmail = input('MemberByEmailDto', { member: Email })

export const CreateReview = input('CreateReviewDto', {
  decision: oneOf(reviewDecisions),
  reason: Type.Optional(
    Type.String({
      ...limits.reviewReason,
      description:
        'E-mailed to the company; required for a rejection. That of a rejection of a verified company is public, permanently',
    }),
  ),
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      ...limits.timestamp,
      description:
        'Only for a rejection of a verified company: since when its reviews do not count, not in the future. Without it: since now',
    }),
  ),
  revokeKeys: Type.Optional(
    Type.Boolean({
      description: 'Only for a rejection: revoke all keys of the company since then, as the operator',
    }),
  ),
  acceptSimilarName: Type.Optional(
    Type.Boolean({
      description:
        'Only to verify: you compared the company with those that have the same name, or one that looks the same, and it is another one',
    }),
  ),
})
export type CreateReview = Static<typeof CreateReview>

const Finding = oneOf(['valid', 'invalid', 'unknown'])

export const ReviewEvidence = output('ReviewEvidenceDto', {
  vatId: Type.String(),
  format: Finding,
  checkDigits: Finding,
  register: oneOf(['valid', 'invalid', 'unknown'], {
    description: 'The answer of the VAT register of the country',
  }),
  registeredName: Type.Optional(Type.String()),
  registeredAddress: Type.Optional(Type.String()),
  checkedAt: Type.Optional(Timestamp),
})
export type ReviewEvidence = Static<typeof ReviewEvidence>

export const Review = output('ReviewDto', {
  id: Id,
  company: Id,
  decision: oneOf(reviewDecisions),
  reason: Type.Optional(Type.String()),
  since: Type.Optional(Timestamp),
  revokeKeys: Type.Optional(Type.Boolean()),
  reviewer: Type.Object({ id: Id, username: Type.String() }, { title: 'ReviewerDto' }),
  evidence: ReviewEvidence,
  evidenceHash: Type.String({
    description: 'SHA-256 of the canonical JSON of `evidence`, hex, as reviews on the ledger name it',
  }),
  createdAt: Timestamp,
})
export type Review = Static<typeof Review>

/** What a reader could take the name of a company for. */
export const CompanyNameCheck = output('CompanyNameCheckDto', {
  mixesAlphabets: Type.Boolean({
    description: 'The name has letters of several alphabets, or only letters that look like Latin ones',
  }),
  similar: Type.Array(
    output('SimilarCompanyDto', {
      id: Id,
      name: Name,
      vatId: Type.String(limits.vatId),
      country: Country,
      state: oneOf(similarCompanyStates, { description: 'ended: it is no longer verified' }),
    }),
    {
      description:
        'Other companies that are verified, or were, with the same name or one that looks the same; the newest 20, newest first',
    },
  ),
})
export type CompanyNameCheck = Static<typeof CompanyNameCheck>

export const ReviewCase = output('ReviewCaseDto', {
  company: Company,
  nameCheck: CompanyNameCheck,
  state: oneOf(reviewStates),
  evidence: ReviewEvidence,
  reviews: Type.Array(Review, { description: 'The newest 20, newest first' }),
})
export type ReviewCase = Static<typeof ReviewCase>
