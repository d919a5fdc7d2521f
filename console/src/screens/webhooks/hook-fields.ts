import type { Hook } from '@millseal/contract'

/** The settings of a webhook that a person decides. */
export type HookFields = Pick<Hook, 'connectionUrl' | 'mode' | 'ordered' | 'scopes'> & {
  readonly name: string
  readonly notifyEmail: string
}
