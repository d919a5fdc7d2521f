import type { CreateHook } from '@millseal/contract'
import type { Texts } from '../../texts/languages.ts'

type Scopes = CreateHook['scopes']
export type EventName = keyof Texts['webhooks']['events']

export const eventNames: readonly EventName[] = [
  'certificates/notarize_one',
  'certificates/receive_one',
  'certificates/withdraw_one',
  'certificates/replace_one',
  'certificates/revoke_many',
  'identities/revoke_one',
  'companies/update_one',
]

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
