import { type CreateHook, everyAction, type EventDeclaration, type Mode, modes } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import { eventsOfResource } from './listenable-events.ts'

export type HookScope = CreateHook['scopes'][number]
export type HookMode = NonNullable<CreateHook['mode']>

export type Listening = {
  /** In the spelling of scopes, without duplicates. */
  readonly scopes: readonly HookScope[]
  readonly events: readonly EventDeclaration[]
  /** `<mode>/<resource>/<action>` in the spelling of topics, which events are matched with. */
  readonly listens: readonly string[]
  readonly modes: readonly Mode[]
}

/** Throws `scope_unknown` for a resource or an action that no event has. */
export const readHookScopes = (
  requested: readonly HookScope[],
  hookMode: HookMode,
  place = '/scopes',
): Listening => {
  const unknown: Reason[] = []
  const heard = requested.flatMap((entry, index) => {
    if (hookMode !== 'all' && entry.mode !== undefined && entry.mode !== hookMode) {
      throw new Problem('validation_failed', {
        reasons: [
          because('mode_not_received', { mode: entry.mode, hookMode, place: `${place}/${index}/mode` }),
        ],
      })
    }
    const at = `${place}/${index}`
    const { resource } = entry
    const found = eventsOfResource(resource)
    if (found.length === 0) unknown.push(because('resource_has_no_events', { resource, place: at }))
    else
      unknown.push(
        ...unknownActions(entry, found).map((action) =>
          because('resource_has_no_event', { resource, action, place: at }),
        ),
      )
    const events = found.filter(
      ({ action }) => entry.actions.includes(everyAction) || entry.actions.includes(action),
    )
    return [{ entry, events, modes: modesOf(entry.mode ?? hookMode) }]
  })
  if (unknown.length > 0) throw new Problem('scope_unknown', { reasons: unknown.slice(0, maxDetails) })
  const listens = heard.flatMap(({ events, modes: heardModes }) =>
    heardModes.flatMap((mode) => events.map(({ resource, action }) => `${mode}/${resource}/${action}`)),
  )
  return {
    scopes: heard.map(({ entry, events }) => ({
      resource: events[0]?.scope.resource ?? entry.resource,
      actions: events.map(({ action }) => action),
      mode: entry.mode,
    })),
    events: heard.flatMap(({ events }) => events),
    listens: [...new Set(listens)],
    modes: modes.filter((mode) => heard.some(({ modes: heardModes }) => heardModes.includes(mode))),
  }
}

/** The scopes of a stored hook. */
export const parseScopes = ({ scopes }: { readonly scopes: string }): HookScope[] =>
  JSON.parse(scopes) as HookScope[]

const maxDetails = 20

const modesOf = (mode: HookMode): readonly Mode[] => (mode === 'all' ? modes : [mode])

const unknownActions = ({ actions }: HookScope, found: readonly EventDeclaration[]): string[] =>
  actions.filter((wanted) => wanted !== everyAction && !found.some(({ action }) => action === wanted))
