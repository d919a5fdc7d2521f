import type { Principal } from '../../../http/principal.ts'
import type { HookMode, HookScope, Listening } from '../hooks/hook-scopes.ts'
import { readHookScopes } from '../hooks/hook-scopes.ts'

/** Without a mode an entry is about both; a machine that leaves it out means its own. */
export const readMailHookScopes = (
  requested: readonly HookScope[],
  { principal }: { readonly principal: Principal },
): Listening & { readonly mode: HookMode } => {
  const entries =
    principal.kind === 'user'
      ? requested
      : requested.map((entry) => ({ ...entry, mode: entry.mode ?? principal.mode }))
  const listening = readHookScopes(entries, 'all')
  const [first = 'all', ...others] = listening.modes
  return { ...listening, mode: others.length === 0 ? first : 'all' }
}
