import {
  everyAction,
  machineScopes,
  type ScopeObject,
  scopeAliases,
  scopeCatalogue,
} from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../../lib/problem.ts'

const catalogue = new Map<string, readonly string[]>(Object.entries(scopeCatalogue))
const grantable = new Map<string, readonly string[]>(Object.entries(machineScopes))
const aliases = new Map<string, string>(Object.entries(scopeAliases))

/**
 * Returns the requested scopes in the spelling and order of the catalogue. Throws `scope_unknown` if a resource or action
 * does not exist and `scope_exceeded` if a machine cannot have it; the details name each.
 */
export const readScopes = (requested: ScopeObject): ScopeObject => {
  const unknown: Reason[] = []
  const exceeded: Reason[] = []
  const given = new Map<string, Set<string>>()
  for (const [name, { actions }] of Object.entries(requested)) {
    const resource = aliases.get(name) ?? name
    const known = catalogue.get(resource)
    if (known === undefined) {
      unknown.push(because('unknown_resource', { resource: name, place: '/scopes' }))
      continue
    }
    const place = `/scopes/${name}`
    const may = grantable.get(resource) ?? []
    const wanted = given.get(resource) ?? new Set()
    for (const action of actions) {
      if (action === everyAction ? may.length > 0 : may.includes(action)) {
        for (const each of action === everyAction ? may : [action]) wanted.add(each)
      } else if (action === everyAction || known.includes(action)) {
        exceeded.push(because('not_for_machines', { scope: `${resource}:${action}`, place }))
      } else unknown.push(because('unknown_action', { action, place }))
    }
    given.set(resource, wanted)
  }
  if (unknown.length > 0) throw new Problem('scope_unknown', { reasons: unknown.slice(0, maxDetails) })
  if (exceeded.length > 0) throw new Problem('scope_exceeded', { reasons: exceeded.slice(0, maxDetails) })
  return inCatalogueOrder(given)
}

/** The scopes as `authorize` expects them: `resource:action`. */
export const scopePairs = (scopes: ScopeObject): ReadonlySet<string> =>
  new Set(
    Object.entries(scopes).flatMap(([resource, { actions }]) =>
      actions.map((action) => `${resource}:${action}`),
    ),
  )

const maxDetails = 20

/** Equal scopes give equal text, so that signing a token again gives the same token. */
const inCatalogueOrder = (given: ReadonlyMap<string, ReadonlySet<string>>): ScopeObject =>
  Object.fromEntries(
    [...catalogue].flatMap(([resource, known]) => {
      const actions = known.filter((action) => given.get(resource)?.has(action))
      return actions.length === 0 ? [] : [[resource, { actions }]]
    }),
  )
