import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { activity, languages, roles } from '../vocabulary.ts'
import { Company } from './companies.ts'
import { Email, Id, input, oneOf, output, stored, Timestamp } from './common.ts'
import { Address } from './people.ts'

export const Username = Type.String({ ...limits.username, pattern: '^[^@\\s]+$' })
export const Password = Type.String(limits.password)

export const CreateUser = input('CreateUserDto', { username: Username, email: Email, password: Password })
export type CreateUser = Static<typeof CreateUser>

export const UpdateUser = input('UpdateUserDto', {
  id: Type.Optional(Id),
  username: Type.Optional(Username),
  email: Type.Optional(Email),
  status: Type.Optional(oneOf(activity, { description: 'Only operators of the service can change it' })),
  onBoarded: Type.Optional(Type.Boolean()),
  language: Type.Optional(oneOf(languages, { description: 'Of mails to this user' })),
})
export type UpdateUser = Static<typeof UpdateUser>

export const UpdatePassword = input('UpdatePasswordDto', {
  password: Password,
  currentPassword: Type.Optional(
    Type.String({
      maxLength: limits.password.maxLength,
      description: 'The current password; required unless the sign-in is recent',
    }),
  ),
})
export type UpdatePassword = Static<typeof UpdatePassword>

export const UserResponse = output('UserResponseDto', {
  ...stored,
  username: Type.String(limits.username),
  email: Email,
  address: Type.Optional(Address),
  role: oneOf(roles),
  status: oneOf(activity),
  emailConfirmed: Type.Boolean(),
  onBoarded: Type.Boolean(),
  language: Type.Optional(
    oneOf(languages, {
      description: 'Of mails to this user. Missing: that of the country of the newest company, or English',
    }),
  ),
  companies: Type.Array(Company, { description: 'Companies that the user owns' }),
  assignedCompanies: Type.Array(Company, { description: 'Companies that the user is a member of' }),
})
export type UserResponse = Static<typeof UserResponse>

export const Onboarding = output('OnboardingDto', {
  userId: Id,
  steps: Type.Object(
    {
      emailConfirmed: Type.Boolean(),
      companyCreated: Type.Boolean(),
      companyVerified: Type.Boolean(),
      mfaEnabled: Type.Boolean(),
      walletCreated: Type.Boolean(),
      identityCreated: Type.Boolean(),
    },
    { title: 'OnboardingStepsDto' },
  ),
  completed: Type.Boolean(),
})
export type Onboarding = Static<typeof Onboarding>

export const AutomationConstants = output('AutomationConstantsDto', {
  accessToken: Type.String({ description: 'An access token of the user for trying the API' }),
  expiresAt: Timestamp,
  userId: Id,
  companies: Type.Array(
    output('CompanyConstantsDto', { companyId: Id, name: Type.String(), vatId: Type.String() }),
  ),
})
export type AutomationConstants = Static<typeof AutomationConstants>

export const ListeningToken = output('ListeningTokenDto', {
  accessToken: Type.String({ description: 'The password for the event broker' }),
  expiresAt: Timestamp,
})
export type ListeningToken = Static<typeof ListeningToken>
