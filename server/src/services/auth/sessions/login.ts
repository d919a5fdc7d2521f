import type { Credentials, UserService } from '../../user/index.ts'
import type { OpenSession, SignedIn } from './open-session.ts'

type Dependencies = { readonly users: Pick<UserService, 'signIn'>; readonly open: OpenSession }

/** Signs a person in and opens a session: an access token for now, a refresh token to get the next one with. */
export const login =
  ({ users, open }: Dependencies) =>
  async (credentials: Credentials, client: { ip: string; device: string }): Promise<SignedIn> =>
    open(await users.signIn(credentials), client)
