import { hasEndedSession, type Signer } from '../../user/index.ts'
import type { StoredSession } from './sessions.store.ts'

/** Whether a session lets its user in: not ended by a new password, and the user still there and active. */
export const isOpenFor = (session: StoredSession, signer: Signer | undefined): signer is Signer =>
  signer !== undefined &&
  session.userId === signer.id &&
  signer.status === 'active' &&
  !hasEndedSession(signer, { id: session.id, startedAtMs: session.loggedInAt.getTime() })
