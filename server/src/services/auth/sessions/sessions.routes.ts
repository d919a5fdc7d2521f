import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { endAllSessions, endSession, logout } from './end-sessions.ts'
import { listSessions, readSession } from './find-sessions.ts'
import { inspectToken } from './inspect-token.ts'
import { login } from './login.ts'
import { readAutomationConstants } from './read-automation-constants.ts'
import { readListeningToken } from './read-listening-token.ts'
import { refreshSession } from './refresh-session.ts'

export const sessionRoutes = (deps: AuthDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.login, login),
    bind(operations.refreshSession, refreshSession),
    bind(operations.logout, logout),
    bind(operations.inspectToken, inspectToken),
    bind(operations.listSessions, listSessions),
    bind(operations.readSession, readSession),
    bind(operations.endSession, endSession),
    bind(operations.endAllSessions, endAllSessions),
    bind(operations.readAutomationConstants, readAutomationConstants),
    bind(operations.readListeningToken, readListeningToken),
  ]
}
