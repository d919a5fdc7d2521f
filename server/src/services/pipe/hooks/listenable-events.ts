import { type Action, type EventDeclaration, events, scopeAliases } from '@millseal/contract'

const everyEvent: readonly EventDeclaration[] = events

/** The events of a resource, by any of its names; empty if it has none. */
export const eventsOfResource = (name: string): readonly EventDeclaration[] => {
  const known = Object.hasOwn(scopeAliases, name) ? scopeAliases[name] : name
  return everyEvent.filter(({ scope, resource }) => scope.resource === known || resource === name)
}

/** The spelling of topics for a resource in any spelling of scopes. */
export const topicResource = (name: string): string => eventsOfResource(name)[0]?.resource ?? name

export const scopeOf = ({ resource, action }: Action): string => `${resource}:${action}`
