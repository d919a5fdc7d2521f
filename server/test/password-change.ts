import { duringChange } from './concurrent-change.ts'
import type { TestServer } from './test-server.ts'

/** Changes the password of a user while `request` waits to lock it: the change commits first. */
export const duringPasswordChange = <T>(
  server: TestServer,
  userId: string,
  request: () => Promise<T>,
): Promise<T> =>
  duringChange(
    server,
    {
      change: (tx) =>
        tx.updateTable('users').set({ passwordHash: 'changed' }).where('id', '=', userId).execute(),
      lock: 'share',
    },
    request,
  )
