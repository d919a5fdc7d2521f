import type { CreateHook, events } from '@millseal/contract'

type Scopes = CreateHook['scopes']
type NameOf<S> = S extends { resource: infer R extends string; action: infer A extends string }
  ? `${R}/${A}`
  : never

/** The form offers what people wait for; programs can choose all. A new event is a type error until it is decided. */
const offered = {
  'certificates/notarize_one': true,
  'certificates/receive_one': true,
  'certificates/withdraw_one': true,
  'certificates/replace_one': true,
  'certificates/revoke_many': true,
  'inbox/accept_one': true,
  'inbox/reject_one': true,
  'inbox/reopen_one': true,
  'inbox/alarm_one': true,
  'identities/revoke_one': true,
  'companies/update_one': true,
  'accesstoken/create_one': false,
  'accesstoken/update_one': false,
  'applications/create_one': false,
  'applications/delete_one': false,
  'applications/update_one': false,
  'companies/delete_one': false,
  'hooks/create_one': false,
  'hooks/delete_one': false,
  'hooks/update_one': false,
  'identities/create_one': false,
  'identities/notarize_one': false,
  'identities/update_one': false,
  'mailhooks/create_one': false,
  'mailhooks/delete_one': false,
  'mailhooks/update_one': false,
  'transactions/send': false,
  'transactions/sign': false,
  'wallets/create_one': false,
  'wallets/delete_one': false,
  'wallets/update_one': false,
} as const satisfies Record<NameOf<(typeof events)[number]['scope']>, boolean>

type Offered = typeof offered
export type EventName = { [Name in keyof Offered]: Offered[Name] extends true ? Name : never }[keyof Offered]

const isOffered = (name: string): name is EventName =>
  Object.entries(offered).some(([each, is]) => is && each === name)

export const eventNames: readonly EventName[] = Object.keys(offered).filter(isOffered)

const namesOf = (scopes: Scopes): string[] =>
  scopes.flatMap(({ resource, actions }) => actions.map((action) => `${resource}/${action}`))

export const chosenIn = (scopes: Scopes): readonly EventName[] => {
  const names = namesOf(scopes)
  return eventNames.filter((name) => names.includes(name) || names.includes(`${name.split('/')[0]}/*`))
}

/** Events that the form does not offer. A program chose them, so changing the others keeps them. */
export const othersIn = (scopes: Scopes): readonly string[] =>
  namesOf(scopes).filter((name) => !eventNames.some((known) => known === name))

export const scopesOf = (names: readonly string[]): Scopes =>
  Object.entries(Object.groupBy(names, (name) => name.split('/')[0] ?? '')).map(([resource, all = []]) => ({
    resource,
    actions: all.map((name) => name.split('/')[1] ?? ''),
  }))
