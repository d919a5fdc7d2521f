import { type EventDeclaration, type Mode, modes } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { HookMode } from './hook-scopes.ts'
import { scopeOf } from './listenable-events.ts'

type Caller = { readonly principal: Principal; readonly assertRecordMode: (mode: Mode) => void }

/** A machine can only use hooks of its own mode: a hook of both modes would show it events of the other one. */
export const assertHookMode = ({ assertRecordMode }: Caller, mode: HookMode): void => {
  for (const one of mode === 'all' ? modes : [mode]) assertRecordMode(one)
}

/** A machine can only listen to events that its scopes let it read. */
export const assertMayHear = ({ principal }: Caller, events: readonly EventDeclaration[]): void => {
  if (principal.kind === 'user') return
  const { scopes } = principal
  const missing = events.map(({ scope }) => scopeOf(scope)).filter((pair) => !scopes.has(pair))
  if (missing.length > 0) {
    throw new Problem('scope_missing', {
      reasons: [...new Set(missing)].map((scope) => because('listening_needs_scope', { scope })),
    })
  }
}

/** The mode of a hook that names none: every mode that the caller may use. */
export const defaultMode = ({ principal }: Caller): HookMode =>
  principal.kind === 'user' ? 'all' : principal.mode

/** The mode whose hooks and events the caller sees; undefined for both. */
export const visibleMode = ({ principal }: { readonly principal: Principal }): Mode | undefined =>
  principal.kind === 'user' ? undefined : principal.mode
