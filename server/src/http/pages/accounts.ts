import type { AcceptInvitation, CreateUser, OpenInvitation } from '@millseal/contract'
import type { Secret } from '../../lib/secret.ts'

/** What the pages need of the accounts. Each throws the same problems as the operation of the API. */
export type Accounts = {
  register(user: CreateUser): Promise<void>
  sendConfirmation(email: string): Promise<void>
  confirmEmail(link: { readonly token: Secret; readonly ip: string }): Promise<void>
  sendPasswordReset(email: string): Promise<void>
  isPasswordLink(token: Secret): Promise<boolean>
  resetPassword(reset: {
    readonly token: Secret
    readonly password: Secret
    readonly ip: string
  }): Promise<void>
  readInvitation(token: Secret): Promise<OpenInvitation>
  acceptInvitation(answer: {
    readonly token: Secret
    readonly account: AcceptInvitation
    readonly ip: string
  }): Promise<void>
}

export type AccountPages = {
  readonly accounts: Accounts
  readonly publicUrl: () => string
  /** Without a mail server, mails are files in the data folder. */
  readonly sendsMails: boolean
}
