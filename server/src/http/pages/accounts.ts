import type { AcceptInvitation, CreateUser, OpenInvitation } from '@millseal/contract'
import type { Secret } from '../../lib/secret.ts'
import type { PageLanguage } from './page-language.ts'

/** What the pages need of the accounts. Each throws the same problems as the operation of the API. */
export type Accounts = {
  /** The language becomes that of the mails to this person. */
  register(user: CreateUser, language: PageLanguage): Promise<void>
  sendConfirmation(email: string): Promise<void>
  confirmEmail(link: { readonly token: Secret; readonly ip: string }): Promise<void>
  sendPasswordReset(email: string): Promise<void>
  isPasswordLink(token: Secret): Promise<boolean>
  resetPassword(reset: {
    readonly token: Secret
    readonly password: Secret
    readonly ip: string
  }): Promise<void>
  isUnlockLink(token: Secret): Promise<boolean>
  unlockSignIn(link: { readonly token: Secret; readonly ip: string }): Promise<void>
  readInvitation(token: Secret): Promise<OpenInvitation>
  acceptInvitation(answer: {
    readonly token: Secret
    readonly account: AcceptInvitation
    readonly language: PageLanguage
    readonly ip: string
  }): Promise<void>
}

export type AccountPages = {
  readonly accounts: Accounts
  readonly publicUrl: () => string
  /** Without a mail server, mails are files in the data folder. */
  readonly sendsMails: boolean
}
