import { hasEndedSession, type Signer } from '../../user/index.ts'
import type { StoredSession } from './sessions.store.ts'

/** False if a new password ended the session, or if its user was deleted or deactivated. */
export const isOpenFor = (session: StoredSession, signer: Signer | undefined): signer is Signer =>
  signer !== undefined &&
  session.userId === signer.id &&
  signer.status === 'active' &&
  !hasEndedSession(signer, { id: session.id, startedAtMs: session.loggedInAt.getTime() })
