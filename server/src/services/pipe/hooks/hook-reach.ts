import { type Mode, modes } from '@millseal/contract'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { HookMode, Listening } from './hook-scopes.ts'
import { scopeOf } from './listenable-events.ts'

type Caller = { readonly principal: Principal; readonly assertRecordMode: (mode: Mode) => void }

/** A machine deals with hooks of its own mode only: one that hears both would show it the other. */
export const assertHookMode = ({ assertRecordMode }: Caller, mode: HookMode): void => {
  for (const one of mode === 'all' ? modes : [mode]) assertRecordMode(one)
}

/** What a machine may not read itself, no hook of its making reads for it. */
export const assertMayHear = ({ principal }: Caller, { events }: Listening): void => {
  if (principal.kind === 'user') return
  const { scopes } = principal
  const missing = events.map(({ scope }) => scopeOf(scope)).filter((pair) => !scopes.has(pair))
  if (missing.length > 0) {
    throw new Problem('scope_missing', {
      details: [...new Set(missing)].map((pair) => `Needs the scope ${pair} to listen to it`),
    })
  }
}

/** Left out: everything within reach. */
export const defaultMode = ({ principal }: Caller): HookMode =>
  principal.kind === 'user' ? 'all' : principal.mode

/** The modes whose hooks and events this caller sees; undefined: of all. */
export const seenMode = ({ principal }: Pick<Caller, 'principal'>): Mode | undefined =>
  principal.kind === 'user' ? undefined : principal.mode
