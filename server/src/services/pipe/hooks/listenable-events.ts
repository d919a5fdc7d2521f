import { type Action, type EventDeclaration, events, scopeAliases } from '@millseal/contract'

const everyEvent: readonly EventDeclaration[] = events

/** The events of a resource, by whichever of its names; none where there is no such resource. */
export const eventsOfResource = (name: string): readonly EventDeclaration[] => {
  const known = Object.hasOwn(scopeAliases, name) ? scopeAliases[name] : name
  return everyEvent.filter(({ scope, resource }) => scope.resource === known || resource === name)
}

/** A resource as topics spell it, from any spelling that scopes take. */
export const topicResource = (name: string): string => eventsOfResource(name)[0]?.resource ?? name

export const scopeOf = ({ resource, action }: Action): string => `${resource}:${action}`
