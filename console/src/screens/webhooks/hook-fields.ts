import type { Hook } from '@millseal/contract'

/** What a person decides about a webhook. */
export type HookFields = Pick<Hook, 'connectionUrl' | 'mode' | 'ordered' | 'scopes'> & {
  readonly name: string
  readonly notifyEmail: string
}
