import type { UserResponse } from '@millseal/contract'
import type { StoredUser } from './users.store.ts'

export const toUserResponse = (user: StoredUser): UserResponse => ({
  id: user.id,
  createdAt: user.createdAt.toISOString(),
  updatedAt: user.updatedAt.toISOString(),
  username: user.username,
  email: user.email,
  role: user.role,
  status: user.status,
  emailConfirmed: user.emailConfirmed,
  onBoarded: user.onBoarded,
  companies: [],
  assignedCompanies: [],
})
