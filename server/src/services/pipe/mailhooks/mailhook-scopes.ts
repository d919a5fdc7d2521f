import { type EventDeclaration, events as allEvents } from '@millseal/contract'
import { assertHookMode, assertMayHear } from '../hooks/hook-reach.ts'
import { type HookScope, readHookScopes } from '../hooks/hook-scopes.ts'
import type { HookCall } from '../hooks/require-hook.ts'
import type { NewMailHook } from './mailhooks.store.ts'

/**
 * The columns that follow from the requested scopes, which the caller must be allowed to listen to. An entry without a
 * mode means both modes; that of a machine means its own.
 */
export const readMailHookScopes = (
  requested: readonly HookScope[],
  call: Pick<HookCall, 'principal' | 'assertRecordMode'>,
): Pick<NewMailHook, 'mode' | 'scopes' | 'listens'> => {
  const { principal } = call
  const entries =
    principal.kind === 'user'
      ? requested
      : requested.map((entry) => ({ ...entry, mode: entry.mode ?? principal.mode }))
  const { scopes, listens, modes, events } = readHookScopes(entries, 'all')
  const [first = 'all', ...others] = modes
  const mode = others.length === 0 ? first : 'all'
  assertHookMode(call, mode)
  assertMayHear(call, events)
  return { mode, scopes: JSON.stringify(scopes), listens: withCorrections(listens) }
}

const everyEvent: readonly EventDeclaration[] = allEvents

/** A mail hook that hears of a certificate also hears that it is not valid any more. */
const withCorrections = (listens: readonly string[]): string[] => {
  const corrections = listens.flatMap((heard) => {
    const [mode = '', resource, action] = heard.split('/')
    return everyEvent
      .filter(({ otherScopes }) =>
        otherScopes.some((scope) => scope.resource === resource && scope.action === action),
      )
      .map((event) => `${mode}/${event.resource}/${event.action}`)
  })
  return [...new Set([...listens, ...corrections])]
}
